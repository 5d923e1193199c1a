import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { useTestbed } from '../testbed';
import { byColumns, goOn, outcomes } from './rows';

/** Contacts that are missing from the answer to an accepted batch. */
const testbed = useTestbed({ resource: 'contact' });

const stored = (id: string) => testbed.service.store.contact('bot', id);
const input = [
	{ id: 'old', name: 'New' },
	{ id: 'lost', name: 'New' },
];

/** The service accepts the batch and returns nothing of it. One of its contacts exists since the node looked. */
async function run(parameters: INodeParameters, name: string) {
	const { service } = testbed;
	const body = { message: 'Success', data: [] };
	service.faults.add({ when: { method: 'POST' }, fault: { kind: 'otherShape', body } });
	testbed.meanwhile('POST', () => service.store.addContact('bot', { external_id: 'old', name }));
	const { items } = await testbed.run({ ...byColumns, ...parameters }, { input, ...goOn });
	return items;
}

const unexpected = titleOf('unexpectedResponse');

it('fails in Create when the contact exists, and leaves it as it is', async () => {
	const items = await run({ operation: 'create' }, 'Older');
	expect(outcomes(items)).toEqual(['A contact with this External ID exists', unexpected]);
	expect(stored('old')?.name).toBe('Older');
});

it.each([
	['upsert', {}],
	['mirror', { manage: 'all' }],
])('is compared and updated in %s when somebody created it meanwhile', async (operation, more) => {
	const [old, lost] = await run({ operation, ...more }, 'Older');
	expect(old.json._sync).toEqual({
		action: 'updated',
		changed: ['name'],
		before: { name: 'Older' },
	});
	expect(stored('old')?.name).toBe('New');
	expect(outcomes([lost])).toEqual([unexpected]);
});

it('counts as created when it is there as it was sent, since nothing tells by whom', async () => {
	const [old] = await run({ operation: 'upsert' }, 'New');
	expect(outcomes([old])).toEqual(['created']);
});

it.each(['create', 'upsert'])(
	'fails in %s when it does not exist, and says that it may',
	async (operation) => {
		const [, lost] = await run({ operation }, 'Older');
		expect(lost.json.error).toContain('Contact lost may have been created.');
		expect(stored('lost')).toBeUndefined();
	},
);
