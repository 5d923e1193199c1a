import * as fc from 'fast-check';

import { propertyRuns } from '../../propertyRuns';
import { chatbotId, mapped } from '../parameters';
import { useTestbed } from '../testbed';

/** How many requests a Create or Update makes: pages while they are cheaper, single contacts, changes, one creation. */
const testbed = useTestbed({ resource: 'contact', operation: 'upsert' });

const perPage = 1000;

/**
 * The requests of a plan that reads pages as long as there are not more of them than contacts that are still missing.
 *
 * @param onPage how many of the wanted contacts each page has
 */
function readsOf(wanted: number, onPage: number[]): number {
	if (wanted === 1) return 1;
	let missing = wanted;
	let read = 0;
	do missing -= onPage[read++];
	while (read < onPage.length && missing > 0 && onPage.length - read <= missing);
	return read + (read < onPage.length ? missing : 0);
}

it('makes exactly the requests of its plan', async () => {
	const sizes = fc.record({
		total: fc.integer({ min: 1, max: 2400 }),
		known: fc.nat({ max: 60 }),
		unknown: fc.nat({ max: 5 }),
		changed: fc.nat({ max: 9 }),
	});
	await fc.assert(
		fc.asyncProperty(sizes, async ({ total, known, unknown, changed }) => {
			fc.pre(known + unknown > 0);
			testbed.reset();
			const { store, requests } = testbed.service;
			store.seedContacts('bot', total);
			const contacts = [...store.chatbot('bot').contacts];
			const start = Math.max(0, total - known);
			const input = [
				...contacts.slice(start).map(({ external_id: id, name }, index) => ({
					id,
					name: index < changed ? `${name} changed` : name,
				})),
				...Array.from({ length: unknown }, (_, index) => ({ id: `new-${index}`, name: 'New' })),
			];
			await testbed.succeed(
				{ chatbotId, ...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.name }}' }) },
				{ input: input as never },
			);

			const existing = total - start;
			const onPage = Array.from({ length: Math.ceil(total / perPage) }, (_, page) =>
				Math.max(0, Math.min(total, (page + 1) * perPage) - Math.max(start, page * perPage)),
			);
			const writes = Math.min(changed, existing) + (unknown > 0 ? 1 : 0);
			expect(requests).toHaveLength(readsOf(input.length, onPage) + writes);
		}),
		propertyRuns(10),
	);
}, 120_000);
