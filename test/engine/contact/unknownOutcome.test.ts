/* eslint-disable @n8n/community-nodes/no-restricted-globals */
import { titleOf } from '../../errorTexts';
import type { Fault } from '../../../service';
import { useSkippedTime } from '../fastTime';
import { chatbotId, contactId, mapped } from '../parameters';
import { useTestbed } from '../testbed';
import { byColumns, goOn, idsIn, outcomes, type Row } from './rows';

/** Creations whose response is lost: no contact exists twice. */
const testbed = useTestbed({ resource: 'contact' });
useSkippedTime(testbed);

const store = () => testbed.service.store;
const people: Row[] = ['a', 'b', 'c'].map((id) => ({ id, name: 'Ada', email: `${id}@x.example` }));
const posts = () => testbed.service.requests.filter(({ method }) => method === 'POST');

const lost: Array<[string, Fault]> = [
	['a 504', { kind: 'status', status: 504, body: '<h1>Gateway Timeout</h1>', handled: true }],
	['a broken connection', { kind: 'resetAfter' }],
	['a response that is cut', { kind: 'resetMidBody' }],
	['silence', { kind: 'stall', handled: true }],
];

describe.each(['create', 'upsert'])('%s', (operation) => {
	const run = async (input: Row[], parameters = {}) =>
		await testbed.run({ ...byColumns, operation, ...parameters }, { input, ...goOn });
	const failPost = (fault: Fault, nth?: number) =>
		testbed.service.faults.add({ when: { method: 'POST', nth }, fault });
	/** The service stores one of the contacts, whatever becomes of the request. */
	const storeOne = () =>
		testbed.meanwhile('POST', () => {
			store().addContact('bot', { external_id: 'a', name: 'Ada', email: 'a@x.example' });
		});

	it.each(lost)('finds the created contacts after %s', async (_, fault) => {
		failPost(fault, 1);
		const { items } = await run(people);
		expect(outcomes(items)).toEqual(['created', 'created', 'created']);
		expect(posts()).toHaveLength(1);
		expect(idsIn(testbed)).toEqual(['a', 'b', 'c']);
	});

	it.each<[string, Fault]>([
		['504', { kind: 'status', status: 504 }],
		['500 of HTML', { kind: 'status', status: 500, body: '<h1>Error</h1>' }],
	])('waits and sends no contact twice after a %s of its proxy', async (_, fault) => {
		// The proxy fails at once; the service behind it stores 20 seconds later.
		failPost(fault, 1);
		testbed.meanwhile('POST', ({ body }) => {
			const { users } = body as {
				users: Array<{ external_id: string; name: string; email: string }>;
			};
			setTimeout(() => users.forEach((user) => store().addContact('bot', user)), 20_000);
		});
		const { items } = await run(people);
		expect(outcomes(items)).toEqual(['created', 'created', 'created']);
		expect(posts()).toHaveLength(1);
	});

	it('sends contacts once more when they have not appeared within the timeout', async () => {
		failPost({ kind: 'resetBefore' }, 1);
		const begun = Date.now();
		const { items } = await run(people);
		expect(outcomes(items)).toEqual(['created', 'created', 'created']);
		const [first, second, ...more] = posts();
		expect(more).toEqual([]);
		expect(second.at - first.at).toBeGreaterThanOrEqual(30_000);
		// After 1 second, then after pauses that double: at 0, 1, 3, 7, 15 and 30 seconds.
		const between = testbed.service.requests.slice(
			testbed.service.requests.indexOf(first) + 1,
			testbed.service.requests.indexOf(second),
		);
		expect(between.map(({ method }) => method)).toEqual(Array(6).fill('GET'));
		expect(Date.now() - begun).toBeLessThan(120_000);
	});

	it('sends only missing contacts once more', async () => {
		failPost({ kind: 'resetBefore' }, 1);
		storeOne();
		const { items } = await run(people, timeoutOf(2000));
		expect(outcomes(items)).toEqual(['created', 'created', 'created']);
		const [first, second] = posts();
		expect((second.body as { users: unknown[] }).users).toHaveLength(2);
		// That one of them has appeared says nothing about the others.
		expect(second.at - first.at).toBeGreaterThanOrEqual(2000);
	});

	it('names each contact that may exist when the outcome stays unknown', async () => {
		failPost({ kind: 'resetBefore' });
		const { items } = await run(people, timeoutOf(2000));
		expect(posts()).toHaveLength(2);
		items.forEach(({ json }, index) => {
			expect(json.error).toContain(`Contact ${people[index].id} may have been created.`);
			expect(json.error).toContain('The node sent the request 2 times');
		});
	});

	// A single contact is read by its ID, several in the list.
	it.each([1, 3])('says that they may exist when the look-up fails (%i)', async (count) => {
		failPost({ kind: 'resetBefore' });
		testbed.service.faults.add({
			when: { method: 'GET', matches: () => posts().length > 0 },
			fault: { kind: 'status', status: 403 },
		});
		const { items } = await run(people.slice(0, count));
		items.forEach(({ json }, index) => {
			expect(json.error).toContain(`Contact ${people[index].id} may have been created.`);
		});
		expect(posts()).toHaveLength(1);
	});

	it('keeps what the first look-up has found when the next one fails', async () => {
		failPost({ kind: 'resetBefore' });
		storeOne();
		const looks = () =>
			testbed.service.requests.filter(({ at, method }) => method === 'GET' && at > posts()[0]?.at);
		testbed.service.faults.add({
			when: { method: 'GET', matches: () => looks().length > 1 },
			fault: { kind: 'status', status: 403 },
		});
		const { items } = await run(people);
		expect(outcomes(items.slice(0, 1))).toEqual(['created']);
		items.slice(1).forEach(({ json }, index) => {
			expect(json.error).toContain(`Contact ${people[index + 1].id} may have been created.`);
		});
	});

	it('says that they may exist when they cannot be sent once more', async () => {
		failPost({ kind: 'resetBefore' }, 1);
		failPost({ kind: 'status', status: 429, headers: { 'Retry-After': '60' } });
		const { items } = await run(people, timeoutOf(1000));
		items.forEach(({ json }, index) => {
			expect(json.error).toMatch(/^The service is receiving too many requests/);
			expect(json.error).toContain(`Contact ${people[index].id} may have been created.`);
		});
	});
});

it('says that contacts may exist when their response is empty and the look-up fails', async () => {
	testbed.service.faults.add({
		when: { method: 'POST' },
		fault: { kind: 'otherShape', body: { data: [] }, handled: true },
	});
	testbed.service.faults.add({ when: { method: 'GET' }, fault: { kind: 'status', status: 403 } });
	const { items } = await testbed.run(
		{ ...byColumns, operation: 'create' },
		{ input: [{ id: 'a' }, { id: 'b' }], ...goOn },
	);
	expect(items.map(({ json }) => json.error)).toEqual([
		expect.stringContaining('Contact a may have been created. Check'),
		expect.stringContaining('Contact b may have been created. Check'),
	]);
});

describe('a change of the ID whose response is lost', () => {
	const rename = async (input: Row[]) =>
		await testbed.run(
			{
				operation: 'update',
				chatbotId,
				contactId,
				...mapped({ external_id: 'b', name: '={{ $json.name }}' }),
			},
			{ input, ...goOn },
		);

	const lose = (fault: Fault = { kind: 'resetAfter' }) =>
		testbed.service.faults.add({ when: { method: 'PATCH', nth: 1 }, fault });

	it.each(lost)('finds the contact under the new ID after %s', async (_, fault) => {
		store().addContact('bot', { external_id: 'a' });
		lose(fault);
		const { items } = await rename([{ id: 'a', name: 'Ada' }]);
		expect(items[0].json).toMatchObject({
			external_id: 'b',
			name: 'Ada',
			_sync: { action: 'updated' },
		});
		const sent = testbed.service.requests.map(({ method, path }) => [method, path.slice(-1)]);
		expect(sent.at(-1)).toEqual(['GET', 'b']);
	});

	it('does not take another contact with the same values for the renamed one', async () => {
		store().addContact('bot', { external_id: 'a', email: 'a@x.example' });
		lose();
		const id = 'b';
		const values = { name: 'Ada', email: 'a@x.example' };
		testbed.meanwhile('PATCH', () => {
			store().removeContact('bot', 'a');
			store().addContact('bot', { external_id: id, ...values });
		});
		const { items } = await testbed.run(
			{ ...byColumns, operation: 'upsert', matchBy: 'externalIdThenEmail' },
			{ input: [{ id, ...values }], ...goOn },
		);
		expect(outcomes(items)).toEqual([titleOf('404 contact itself')]);
		expect(items[0].json.error).toContain('It is not known whether contact a got its new');
	});

	it('sends nothing when there is no contact to change, though another one has the new ID', async () => {
		store().addContact('bot', { external_id: 'b', name: 'Bea' });
		lose();
		const { items } = await rename([{ id: 'a', name: 'Bea' }]);
		expect(outcomes(items)).toEqual([titleOf('404 contact itself')]);
		expect(testbed.writes).toEqual([]);
	});

	it('is unknown in an error that stops the run when another contact has the new ID', async () => {
		store().addContact('bot', { external_id: 'a' });
		lose();
		testbed.meanwhile('PATCH', () => {
			store().removeContact('bot', 'a');
			store().addContact('bot', { external_id: 'b', name: 'Ada' });
		});
		const { error } = await testbed.run(
			{ operation: 'update', chatbotId, contactId, ...mapped({ external_id: 'b', name: 'Ada' }) },
			{ input: [{ id: 'a' }] },
		);
		expect(error?.description).toContain('Unknown: item 0.');
	});
});

/** The option Timeout, in milliseconds. */
function timeoutOf(timeout: number) {
	return { requestOptions: { timeout } };
}

describe('a deletion of a mirror of which every response is lost', () => {
	const mirror = {
		operation: 'mirror',
		chatbotId,
		manage: 'all',
		onMissing: 'delete',
		...mapped({ external_id: '={{ $json.id }}' }),
	};

	it.each(lost)('counts as done when the contact is gone: %s', async (_, fault) => {
		store().addContact('bot', { external_id: 'a' });
		store().addContact('bot', { external_id: 'b', name: 'Bea' });
		testbed.service.faults.add({ when: { method: 'DELETE' }, fault });
		const { items } = await testbed.succeed(mirror, { input: [{ id: 'a' }] });
		expect(idsIn(testbed)).toEqual(['a']);
		expect(outcomes(items)).toEqual(['unchanged', 'deleted']);
		expect(items[1].json).toMatchObject({ external_id: 'b', name: 'Bea' });
	});

	it('fails when the contact still exists', async () => {
		store().addContact('bot', { external_id: 'a' });
		store().addContact('bot', { external_id: 'b' });
		const fault = { kind: 'status', status: 504, body: '<h1>Gateway Timeout</h1>' } as const;
		testbed.service.faults.add({ when: { method: 'DELETE' }, fault });
		const { error } = await testbed.run(mirror, { input: [{ id: 'a' }] });
		expect(error?.message).toBe(titleOf('5xx'));
		expect(error?.description).toContain('could not be deleted: b.');
		expect(idsIn(testbed)).toEqual(['a', 'b']);
	});
});
