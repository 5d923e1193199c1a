import type { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { readList } from '../../api/paginate';
import type { InputItem } from '../../execution/item';
import { type Field, optionField } from '../../panel/field';
import { wholeNumber } from '../../panel/types';
import { type Source, sourcePages } from './sources';

const maxPause = 10_000;

const seconds = wholeNumber(1);
const waitSeconds = optionField('waitForTraining', 'Wait for Training', seconds, {
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
export async function awaitTraining(
	api: ApiClient,
	chatbotId: string,
	learners: Learner[],
): Promise<void> {
	const startedAt = performance.now();
	let open = learners;
	try {
		for (let pause = 1000; ; pause = Math.min(2 * pause, maxPause)) {
			const waited = performance.now() - startedAt;
			open.forEach((learner) => answer(learner, waited));
			open = open.filter((learner) => stateOf(learner, waited) === 'learning');
			if (open.length === 0) return;

			await api.wait(Math.min(pause, ...open.map(({ wait }) => wait - waited)));

			// Not proven to be complete, since a website that is being crawled makes the list grow.
			const list = await readList(sourcePages(api, chatbotId, {}), Infinity, Infinity);
			const byId = new Map(list.map((source) => [source.id, source as Source]));
			for (const learner of open)
				learner.source = byId.get(learner.source.id) ?? learner.source;
		}
	} catch (error) {
		// Another item has ended the run. These sources are written.
		if (api.state.run.stopped) open.forEach(({ succeed, source }) => succeed(source));

		const failure = error as NodeApiError;
		failure.description = `The source was written. Only the look at its training failed. ${failure.description ?? ''}`;
		open.forEach(({ fail }) => fail(failure));
	}
}

type State = 'learning' | 'trained' | 'failed' | 'overdue';

/** @param waited milliseconds */
function stateOf({ source: { status, metadata }, wait }: Learner, waited: number): State {
	if ([status, metadata?.crawlStatus].includes('failed'))
		return wait > 0 ? 'failed' : 'overdue';
	if (status === 'trained' && metadata?.crawlStatus !== 'fetching') return 'trained';
	return waited < wait ? 'learning' : 'overdue';
}

/** Gives the item of a source its result, unless the chatbot still learns it. */
function answer(learner: Learner, waited: number) {
	const { source, item, wait, succeed, fail } = learner;
	const state = stateOf(learner, waited);
	if (state === 'learning') return;
	if (state === 'failed') {
		fail(trainingError(learner));
		return;
	}

	if (state === 'overdue' && wait > 0) {
		item.context.warn(
			'The time of Wait for Training was over before all sources were trained.',
		);
	}
	succeed(source);
}

function trainingError({ source, item }: Learner): NodeOperationError {
	const advice =
		source.type === 'file'
			? 'A scan has no text: send the text, or a file with text.'
			: 'Check its content, and send it again.';
	return item.error(
		'The training of the source failed',
		`The source (ID ${source.id}) was written, but the chatbot has not learned it. If it has an earlier version, that stays in use. ${advice}`,
	);
}
