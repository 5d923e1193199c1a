import type { INodeProperties } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { forEachLimited } from '../../api/limits';
import type { InputItem } from '../../execution/item';
import type { PendingItem, Run } from '../../execution/run';
import { readOptional, wholeNumber } from '../../fields/values';
import { byChatbot } from '../../mirror/items';
import { groupBy } from '../../values/groupBy';
import type { Source } from './sources';
import { readSources } from './sources';

const second = 1000;
const maxPause = 10 * second;

export const waitOption: INodeProperties = {
	displayName: 'Wait for Training',
	name: 'waitForTraining',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 300,
	description:
		'Most seconds to wait until the chatbot has learned the source. The item fails if the training fails.',
};

/** @returns milliseconds; 0 to wait for nothing */
export function readWait(item: InputItem): number {
	const label = 'Wait for Training';
	return (readOptional(item, 'options.waitForTraining', wholeNumber(1), label) ?? 0) * second;
}

/** A source that was written, and what follows for its items. */
export interface WrittenSource {
	source: Source;
	item: InputItem;
	/** Most milliseconds to wait for its training. */
	wait: number;
	succeed(source: Source): void;
	fail(error: unknown): void;
}

/**
 * Waits until sources are trained. Each look reads the list once for all of them.
 *
 * @throws nothing: each source succeeds or fails
 */
export async function awaitTraining(api: ApiClient, chatbotId: string, written: WrittenSource[]) {
	const startedAt = Date.now();
	let open = written;
	try {
		for (let pause = second; ; pause = Math.min(2 * pause, maxPause)) {
			const waited = Date.now() - startedAt;
			open = open.filter((entry) => !settle(entry, waited));
			if (open.length === 0) return;
			const left = open.map(({ wait }) => wait - waited);
			await api.wait(Math.min(pause, ...left));
			const list = await readSources(open[0].item, api, chatbotId, {});
			const byId = new Map(list.map((source) => [source.id, source]));
			for (const entry of open) entry.source = byId.get(entry.source.id) ?? entry.source;
		}
	} catch (error) {
		// Another item has ended the run. These sources are written.
		if (api.state.limits.stopped) open.forEach(({ succeed, source }) => succeed(source));
		else open.forEach(({ fail }) => fail(withWritten(error)));
	}
}

/** @returns whether there is nothing more to wait for */
function settle({ source, item, wait, succeed, fail }: WrittenSource, waited: number): boolean {
	const { status, metadata } = source;
	const states = [status, metadata?.crawlStatus];
	if (wait > 0 && states.includes('failed')) {
		fail(
			item.error(
				'The training of the source failed',
				`The source (ID ${source.id}) was written, but the chatbot has not learned it. An earlier version stays in use. Check its content, and send it again.`,
			),
		);
		return true;
	}
	const isTrained = status === 'trained' && !states.includes('fetching');
	const isOver = waited >= wait;
	if (wait > 0 && isOver && !isTrained) {
		item.run.warn('The time of Wait for Training was over before all sources were trained.');
	}
	if (isTrained || isOver) succeed(source);
	return isTrained || isOver;
}

function withWritten(error: unknown): unknown {
	if (!(error instanceof NodeApiError)) return error;
	error.description = `The source was written. Only the look at its training failed. ${error.description ?? ''}`;
	return error;
}

interface WriteParams {
	settings: { chatbotId: string };
	wait: number;
}

/**
 * Writes a source for each item, then waits for the training of all.
 *
 * @param keyOf items with the same key are written one after the other
 * @param write returns the source, or output records if there is none to wait for
 */
export async function writeEach<Params extends WriteParams>(
	run: Run<Params>,
	keyOf: (params: Params) => string,
	write: (entry: PendingItem<Params>) => Promise<Source | undefined>,
) {
	const { maxConcurrency } = run.limits;
	await forEachLimited(byChatbot(run.items), maxConcurrency, async ({ api, chatbotId, items }) => {
		const groups = groupBy(items, ({ params }) => keyOf(params));
		const written: WrittenSource[] = [];
		await forEachLimited([...groups.values()], maxConcurrency, async (group) => {
			for (const entry of group) {
				const { item, params, succeed, fail } = entry;
				try {
					const source = await write(entry);
					const { wait } = params;
					if (source) written.push({ item, source, wait, succeed: (s) => succeed([s]), fail });
				} catch (error) {
					fail(error);
				}
			}
		});
		await awaitTraining(api, chatbotId, written);
	});
}
