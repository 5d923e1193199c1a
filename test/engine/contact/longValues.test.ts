import type { INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { automatic, chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { attributeField } from './people';
import { goOn } from './rows';

/** Values of 40,000 characters, which an error or a hint must not repeat. */
const testbed = useTestbed({ resource: 'contact', chatbotId });

const long = `C-${'x'.repeat(40_000)}`;
const byColumn = (field: string) => mapped({ external_id: 'a', [field]: '={{ $json.id }}' });
const maxLength = 1_500;

const operations: Array<[string, INodeParameters]> = [
	['delete', {}],
	['get', {}],
	['update', mapped({ name: 'New' })],
	['upsert', mapped({ external_id: '={{ $json.id }}' })],
	['create', mapped({ external_id: '={{ $json.id }}' })],
	['mirror', { manage: 'all', ...mapped({ external_id: '={{ $json.id }}' }) }],
	['upsert', byColumn('email')],
	[
		'upsert',
		mapped({ external_id: 'a', 'custom_attributes.seats': '={{ $json.id }}' }, [
			attributeField('seats', 'number'),
		]),
	],
];

describe.each([404, 400])('when the service answers %d', (status) => {
	it.each(operations)(
		'%s gives a short error for an ID of 40,000 characters (%#)',
		async (operation, parameters) => {
			for (const message of [titleOf('404 contact itself'), long, `No contact ${long}`]) {
				for (const nodeSettings of [{}, goOn.nodeSettings]) {
					testbed.service.faults.add({ fault: { kind: 'status', status, body: { message } } });
					const { error, items } = await testbed.run(
						{ operation, contactId, ...parameters },
						{ input: [{ id: long }, { id: `${long}2` }], nodeSettings },
					);
					const errors = items.map(({ json }) => String(json.error ?? ''));
					for (const text of [error?.message, error?.description, ...errors]) {
						expect(text?.length ?? 0).toBeLessThanOrEqual(maxLength);
					}
					testbed.service.faults.clear();
				}
			}
		},
	);
});

it('gives short hints about long values and names of columns', async () => {
	const input = Array.from({ length: 12 }, (_, index) => ({
		external_id: ` ${index}${long.slice(0, 5_000)}`,
		email: `${index}${long}`,
		[`${index}${long}`]: 'x',
	}));
	const { hints } = await testbed.succeed(
		{ operation: 'upsert', ...automatic(), options: { dryRun: true } },
		{ input },
	);
	expect(hints.length).toBeGreaterThan(2);
	for (const { message } of hints) expect(message.length).toBeLessThanOrEqual(maxLength);
});
