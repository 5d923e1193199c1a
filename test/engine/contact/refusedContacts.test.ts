import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { byColumns, goOn, outcomes, type Row, taggedMirror } from './rows';

/** Contacts that the service refuses, and what that means for all others: nothing, as long as one was accepted. */
const testbed = useTestbed({ resource: 'contact' });

const store = () => testbed.service.store;
const requests = (method: string) =>
	testbed.service.requests.filter((request) => request.method === method);
const addOwner = () =>
	store().addContact('bot', { external_id: 'owner', email: 'taken@x.example' });

async function run(operation: string, input: Row[], parameters: INodeParameters = {}) {
	return await testbed.run({ ...byColumns, operation, ...parameters }, { input, ...goOn });
}

/** Refuses the requests of a method for some contacts. */
function refuse(
	method: string,
	message: (id: string) => string,
	isRefused: (id: string) => boolean = () => true,
) {
	const idOf = ({ path }: { path: string }) => path.split('/').pop()!;
	testbed.service.faults.add({
		when: { method, matches: (request) => isRefused(idOf(request)) },
		fault: { kind: 'status', status: 400, body: { message: message('it') } },
	});
}

it('sends a new contact after updates that were all refused alike', async () => {
	store().seedContacts('bot', 30);
	const ids = [...store().chatbot('bot').contacts].map(({ external_id: id }) => id);
	refuse('PATCH', () => 'custom_attributes.plan: Too long');
	const input = [...ids, 'new'].map((id) => ({ id, name: 'New' }));
	const { items } = await run('upsert', input);
	expect(outcomes(items).at(-1)).toBe('created');
	expect(requests('PATCH')).toHaveLength(30);
});

it('sends new contacts with free emails between those with taken ones', async () => {
	addOwner();
	const isTaken = (index: number) => index <= 20 || index === 29;
	const input = Array.from({ length: 30 }, (_, index) => ({
		id: `n-${index}`,
		email: isTaken(index) ? 'taken@x.example' : `${index}@x.example`,
	}));
	for (const operation of ['create', 'upsert']) {
		testbed.reset();
		addOwner();
		const { items } = await run(operation, input);
		const failed = items.flatMap(({ json }, index) => (json.error === undefined ? [] : [index]));
		expect(failed).toEqual(input.flatMap((_, index) => (isTaken(index) ? [index] : [])));
	}
});

it('creates 2,100 new contacts but the refused ones when these stand at the ends of a batch', async () => {
	const isBad = (index: number) => index <= 20 || index === 999;
	testbed.service.behaviour.nulInText = 'serverError';
	const input = Array.from({ length: 2100 }, (_, index) => ({
		id: `n-${index}`,
		name: isBad(index) ? 'A\0da' : 'Ada',
	}));
	const { items } = await run('upsert', input, { options: { maxConcurrency: 1 } });
	expect(items.filter(({ json }) => json.error !== undefined)).toHaveLength(22);
	expect(store().chatbot('bot').contacts.size).toBe(2100 - 22);
}, 60_000);

it('deletes the missing contacts that can be deleted after 21 that were refused', async () => {
	store().addAttribute('bot', { name: 'source', type: 'text' });
	const ids = Array.from({ length: 60 }, (_, index) => `c-${index}`);
	for (const external_id of [...ids, 'kept']) {
		store().addContact('bot', { external_id, custom_attributes: { source: 'crm' } });
	}
	const isRefused = (id: string) => Number(id.slice(2)) < 21 || id === 'c-59';
	for (const id of ids.filter(isRefused)) {
		testbed.service.faults.add({
			when: { method: 'DELETE', path: `/chatbots/bot/contacts/${id}` },
			fault: { kind: 'status', status: 400, body: { message: `Not ${id}` } },
		});
	}
	const options = { ...(taggedMirror.options as object), maxMissing: 60, maxConcurrency: 1 };
	const { items } = await testbed.run(
		{
			...taggedMirror,
			...mapped({ external_id: '={{ $json.id }}' }),
			dryRun: false,
			options,
		} as INodeParameters,
		{ input: [{ id: 'kept' }], ...goOn },
	);
	expect(outcomes(items).filter((outcome) => outcome === 'deleted')).toHaveLength(38);
	const ofMissing = items.slice(1);
	for (const { json } of ofMissing.filter(({ json: { external_id } }) =>
		isRefused(String(external_id)),
	)) {
		expect(JSON.stringify(json)).toContain(`Not ${json.external_id as string}`);
	}
});

describe('when the plan is full', () => {
	const rows: Row[] = Array.from({ length: 1000 }, (_, index) => ({
		id: `n${index}`,
		name: 'New',
	}));
	const notSent = 'Not sent, because the plan has no room for more contacts';

	it.each(['create', 'upsert'])(
		'one contact is refused alone, and the others are not sent (%s)',
		async (operation) => {
			testbed.service.behaviour.maximumContacts = 0;
			const { items } = await run(operation, rows);
			const [first, ...others] = outcomes(items);
			expect(first).toBe('The plan has no room for more contacts');
			expect(new Set(others)).toEqual(new Set([notSent]));
			expect(testbed.service.requests.length).toBeLessThan(60);
		},
	);

	it('as many as fit are created before', async () => {
		testbed.service.behaviour.maximumContacts = 300;
		const { items } = await run('upsert', rows);
		expect(outcomes(items).filter((outcome) => outcome === 'created')).toHaveLength(300);
	});

	it('contacts are still updated', async () => {
		store().addContact('bot', { external_id: 'known' });
		testbed.service.behaviour.maximumContacts = 1;
		const { items } = await run('upsert', [...rows.slice(0, 3), { id: 'known', name: 'New' }]);
		expect(outcomes(items).at(-1)).toBe('updated');
	});
});

describe('when 1,000 contacts were refused', () => {
	const notSent = 'Not sent, because all records before it were refused';
	const rowsOf = (count: number) =>
		Array.from({ length: count }, (_, index) => ({ id: `c-${index}`, name: 'New' }));

	it('and none was accepted, no further one is updated, though new ones are sent', async () => {
		const rows = rowsOf(1010);
		for (const { id } of rows) store().addContact('bot', { external_id: id });
		refuse('PATCH', () => 'Too long');
		const { items } = await run('upsert', [...rows, { id: 'new' }], {
			options: { maxConcurrency: 1 },
		});
		// Two at a time are on their way.
		expect(outcomes(items.slice(1002, 1010))).toEqual(rows.slice(1002).map(() => notSent));
		for (const { json } of items.slice(1002, 1010)) expect(json.error).not.toContain('Too long');
		expect(outcomes(items).at(-1)).toBe('created');
		expect(requests('PATCH').length).toBeLessThan(1002);
	}, 60_000);

	it('and none was deleted, no further missing one is', async () => {
		store().addAttribute('bot', { name: 'source', type: 'text' });
		for (const { id } of [...rowsOf(1010), { id: 'kept' }]) {
			store().addContact('bot', { external_id: id, custom_attributes: { source: 'crm' } });
		}
		refuse('DELETE', () => 'Locked');
		const options = { ...(taggedMirror.options as object), maxMissing: 1010 };
		const { items } = await testbed.run(
			{ ...taggedMirror, ...mapped({ external_id: '={{ $json.id }}' }), dryRun: false, options },
			{ input: [{ id: 'kept' }], ...goOn },
		);
		expect(JSON.stringify(items[1].json)).toContain('Locked');
		expect(JSON.stringify(items.at(-1)?.json)).toContain(notSent);
		expect(requests('DELETE').length).toBeLessThan(1010);
	}, 60_000);

	it('but one was accepted before, all are sent', async () => {
		const rows = rowsOf(1010);
		for (const { id } of rows) store().addContact('bot', { external_id: id });
		refuse(
			'PATCH',
			() => 'Too long',
			(id) => id !== 'c-7',
		);
		const { items } = await run('upsert', rows);
		expect(outcomes(items)).not.toContain(notSent);
		expect(requests('PATCH')).toHaveLength(1010);
	}, 60_000);
});
