import type { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { readList } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { type Field, optionalField } from '../../panel/field';
import { wholeNumber } from '../../panel/types';
import { type Source, sourcePages } from './sources';

const maxPause = 10_000;

const seconds = wholeNumber(1);
const waitSeconds = optionalField('options.waitForTraining', 'Wait for Training', seconds, {
	default: 300,
	description:
		'Most seconds to wait until the chatbot has learned the source. The item fails if the training fails.',
});

/** Reads milliseconds; 0 without the option. */
export const waitOption: Field<number> = {
	property: waitSeconds.property,
	read: (item) => (waitSeconds.read(item) ?? 0) * 1000,
};

/** A source that the chatbot learns, and the item that waits for it. */
export interface Learner {
	source: Source;
	item: InputItem;
	/** Most milliseconds to wait; 0 for none. */
	wait: number;
	succeed(source: Source): void;
	fail(error: unknown): void;
}

/** Waits until sources are trained. Each look reads the list once for all of them. */
export async function awaitTraining(api: ApiClient, chatbotId: string, written: Learner[]) {
	const startedAt = performance.now();
	let open = written;
	try {
		for (let pause = 1000; ; pause = Math.min(2 * pause, maxPause)) {
			const waited = performance.now() - startedAt;
			open = open.filter((entry) => !settle(entry, waited));
			if (open.length === 0) return;
			await api.wait(Math.min(pause, ...open.map(({ wait }) => wait - waited)));
			// Not proven to be complete, since a website that is being crawled makes the list grow.
			const list = await readList(sourcePages(api, chatbotId, {}), Infinity, Infinity);
			const byId = new Map(list.map((source) => [source.id, source as Source]));
			for (const entry of open) entry.source = byId.get(entry.source.id) ?? entry.source;
		}
	} catch (error) {
		// Another item has ended the run. These sources are written.
		if (api.state.run.stopped) open.forEach(({ succeed, source }) => succeed(source));
		const failure = error as NodeApiError;
		failure.description = `The source was written. Only the look at its training failed. ${failure.description ?? ''}`;
		open.forEach(({ fail }) => fail(failure));
	}
}

/** @returns whether there is nothing more to wait for */
function settle({ source, item, wait, succeed, fail }: Learner, waited: number): boolean {
	const { status, metadata } = source;
	if (wait > 0 && [status, metadata?.crawlStatus].includes('failed')) {
		const advice =
			source.type === 'file'
				? 'A scan has no text: send the text, or a file with text.'
				: 'Check its content, and send it again.';
		const nextStep = `The source (ID ${source.id}) was written, but the chatbot has not learned it. If it has an earlier version, that stays in use. ${advice}`;
		fail(item.error('The training of the source failed', nextStep));
		return true;
	}
	const isTrained = status === 'trained' && metadata?.crawlStatus !== 'fetching';
	if (!isTrained && waited < wait) return false;
	if (!isTrained && wait > 0) {
		item.context.warn('The time of Wait for Training was over before all sources were trained.');
	}
	succeed(source);
	return true;
}
