import { sleep } from 'n8n-workflow';

import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { CredentialState } from '../../../nodes/Chatbase/api/limits';
import { RunLimits } from '../../../nodes/Chatbase/api/limits';

/** A cancelled wait ends at once; the other endings are noticed at the end of a slice of a second. */
const atOnce = 500;
const soon = 1_500;
const long = 60_000;

const refused: ApiResponse = {
	method: 'GET',
	path: '/',
	mayHaveRun: false,
	sentAt: 0,
	attempts: 1,
	rateLimitWait: 0,
};
const open = () => new CredentialState({ apiKey: 'key', baseUrl: 'http://host' }, new RunLimits(1));

async function timed(work: () => Promise<unknown>): Promise<number> {
	const start = performance.now();
	await work();
	return performance.now() - start;
}

const endings: Array<
	[string, number, (session: CredentialState, cancel: AbortController) => void]
> = [
	['the execution is cancelled', atOnce, (_, cancel) => cancel.abort()],
	['an item has failed in Stop mode', soon, (session) => (session.limits.stopped = true)],
	['the key was refused', soon, (session) => (session.unauthorized = refused)],
];

describe.each(endings)('when %s', (_, limit, end) => {
	it('a wait ends', async () => {
		const session = open();
		const cancel = new AbortController();
		const waiting = timed(async () => await session.wait(long, cancel.signal));
		end(session, cancel);
		expect(await waiting).toBeLessThan(limit);
	});

	it('a pause ends, and none begins', async () => {
		const session = open();
		const cancel = new AbortController();
		session.pause(long);
		const waiting = timed(async () => await session.resumed(cancel.signal));
		end(session, cancel);
		expect(await waiting).toBeLessThan(limit);
		expect(await timed(async () => await session.resumed(cancel.signal))).toBeLessThan(100);
	});
});

it('a pause holds everybody back, and a shorter one does not shorten it', async () => {
	const session = open();
	session.pause(120);
	session.pause(10);
	const [one, other] = await Promise.all([
		timed(async () => await session.resumed()),
		timed(async () => await session.resumed()),
	]);
	expect(Math.min(one, other)).toBeGreaterThanOrEqual(110);
});

it('leaves no listener on the signal of the execution', async () => {
	const { signal } = new AbortController();
	let listeners = 0;
	const add = signal.addEventListener.bind(signal);
	const remove = signal.removeEventListener.bind(signal);
	signal.addEventListener = (...given: Parameters<typeof add>) => {
		listeners++;
		add(...given);
	};
	signal.removeEventListener = (...given: Parameters<typeof remove>) => {
		listeners--;
		remove(...given);
	};
	const session = open();
	for (let wait = 0; wait < 5; wait++) await session.wait(1, signal);
	await sleep(0);
	expect(listeners).toBe(0);
});
