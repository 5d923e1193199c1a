import { useSkippedTime } from '../fastTime';
import { inputOf, read, rename } from '../parameters';
import { useTestbed } from '../testbed';
import { goOn } from './rows';

/** A service that stops answering in the middle of a long run. */
const testbed = useTestbed();
useSkippedTime(testbed);

beforeEach(() => {
	for (const { id } of inputOf(200)) testbed.service.store.addContact('bot', { external_id: id });
});

const oneByOne = { ...rename, options: { maxConcurrency: 1 } };
const down = { kind: 'status', status: 503, body: { message: 'Down' } } as const;

it('is tried once for each item after five failures, and not at all after 20', async () => {
	testbed.service.faults.add({ fault: down });
	const { items } = await testbed.run(oneByOne, { input: inputOf(200), ...goOn });
	expect(testbed.service.requests).toHaveLength(5 * 4 + 15);
	expect(items).toHaveLength(200);
	for (const { json } of items) {
		expect(json.error).toMatch(/^The service can't respond at the moment\. .*"Down"/);
	}
	expect(items[19].json.error).not.toContain('Not sent');
	expect(items[20].json.error).toContain('Not sent, because 20 requests in a row failed.');
	expect(items[20].json.error).not.toContain('did not respond');
});

it('is asked no more after five items in a row that waited a minute for the rate limit', async () => {
	const headers = { 'Retry-After': '20' };
	testbed.service.faults.add({ fault: { kind: 'status', status: 429, headers } });
	const startedAt = performance.now();
	const { items } = await testbed.run(oneByOne, { input: inputOf(200), ...goOn });
	expect(testbed.service.requests).toHaveLength(5 * 4);
	expect(performance.now() - startedAt).toBeLessThan(5 * 61_000);
	expect(items).toHaveLength(200);
	const [sent, unsent] = [items[4], items[5]].map(({ json }) => String(json.error));
	expect(sent).toContain('The node sent the request 4 times and waited 60 seconds.');
	expect(unsent).toContain('Not sent, because 5 requests in a row failed.');
	expect(unsent).not.toContain('The node sent the request');
});

it('is asked on after four such items if the next one succeeds', async () => {
	const headers = { 'Retry-After': '60' };
	const nth = [...Array(8).keys(), ...Array.from({ length: 8 }, (_, n) => n + 9)].map((n) => n + 1);
	testbed.service.faults.add({ when: { nth }, fault: { kind: 'status', status: 429, headers } });
	const { items } = await testbed.run(oneByOne, { input: inputOf(10), ...goOn });
	const failed = items.map(({ json }) => json.error !== undefined);
	expect(failed).toEqual([true, true, true, true, false, true, true, true, true, false]);
});

it('says of reads that fail only that they failed', async () => {
	testbed.service.faults.add({ fault: down });
	const oneRead = { ...read, options: { maxConcurrency: 1 } };
	const { items } = await testbed.run(oneRead, { input: inputOf(10), ...goOn });
	for (const { json } of items) expect(json.error).not.toMatch(/may have|run again/);
});

it('is retried as before after any response, also a refusal', async () => {
	testbed.service.store.removeContact('bot', 'c4');
	testbed.service.faults.add({
		when: { matches: ({ path }) => !/c(4|9)$/.test(path) },
		fault: down,
	});
	const { items } = await testbed.run(oneByOne, { input: inputOf(14), ...goOn });
	expect(testbed.service.requests).toHaveLength(12 * 4 + 2);
	expect(items.filter(({ json }) => json.error === undefined)).toHaveLength(1);
});

it('still waits for a rate limit when it answers again with one', async () => {
	testbed.service.faults.add({
		when: { nth: [...Array(23).keys()].map((n) => n + 1) },
		fault: down,
	});
	testbed.service.faults.add({
		when: { nth: 24 },
		fault: { kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
	});
	const { items } = await testbed.run(oneByOne, { input: inputOf(12), ...goOn });
	expect(items.filter(({ json }) => json.error !== undefined)).toHaveLength(8);
});
