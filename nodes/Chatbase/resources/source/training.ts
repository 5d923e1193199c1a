/** What waits until the chatbot has learned its sources. */
import type { ApiClient } from '../../api/client';
import { type Failure, failureOf } from '../../api/failure';
import { readToEnd } from '../../api/paginate';
import type { RunContext } from '../../execution/context';
import type { InputItem } from '../../execution/item';
import { type Field, optionalField } from '../../panel/field';
import { wholeNumber } from '../../panel/types';
import { countFormat } from '../../values/json';
import { isInTraining, type Source } from './plan/source';
import { sourcePages } from './sources';

const waitSeconds = optionalField(
	'options.waitForTraining',
	'Seconds to Wait for Training',
	wholeNumber(1),
	{
		default: 300,
		description:
			'Maximum number of seconds to wait until the training has ended. The item fails if the training fails.',
	},
);

/** The option for the wait. It reads milliseconds, and 0 if the option was not added. */
export const waitOption: Field<number> = {
	property: waitSeconds.property,
	read: (item) => (waitSeconds.read(item) ?? 0) * 1000,
};

/** The chatbot of some sources, and the client for it. */
export interface SourcePlace {
	readonly api: ApiClient;
	readonly chatbotId: string;
}

/** A source that the chatbot learns, and the item that waits for it. */
export interface Learner {
	/** As it was read last. */
	readonly source: Source;
	readonly item: InputItem;
	/** How many milliseconds to wait, at most. */
	readonly wait: number;
	/** Whether this run has written it. */
	readonly isWritten: boolean;
	succeed(last: Source): void;
	fail(error: unknown): void;
}

const maxPause = 10_000;

/** Waits until sources are trained. Each time, the list is read once for all of them. */
export async function awaitTraining(
	{ api, chatbotId }: SourcePlace,
	learners: readonly Learner[],
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

			// It is not checked whether the list is complete, since a website that is being crawled makes it grow.
			const list = await readToEnd(sourcePages(api, chatbotId, {}));
			const byId = new Map(list.map((source) => [source.id, source as Source]));
			open = open.map((learner) => ({
				...learner,
				source: byId.get(learner.source.id) ?? learner.source,
			}));
		}
	} catch (error) {
		// Another item has ended the run, but these sources were written.
		if (api.state.run.stopped) {
			open.forEach(({ succeed, source }) => succeed(source));
			return;
		}

		open.forEach((learner) => learner.fail(unreadStatus(error, learner)));
	}
}

type State = 'learning' | 'trained' | 'failed' | 'overdue';

/** @param waited milliseconds */
function stateOf({ source, wait }: Learner, waited: number): State {
	const { status, metadata } = source;
	if ([status, metadata?.crawlStatus].includes('failed')) return 'failed';
	if (status === 'trained' && metadata?.crawlStatus !== 'fetching') return 'trained';
	return waited < wait ? 'learning' : 'overdue';
}

/** Sets the result of the item, unless its source is still being trained. */
function answer(learner: Learner, waited: number): void {
	const { source, item, succeed, fail } = learner;
	const state = stateOf(learner, waited);
	if (state === 'learning') return;
	if (state === 'failed') {
		fail(trainingError(learner));
		return;
	}

	if (state === 'overdue') {
		item.context.warn(
			'Seconds to Wait for Training has passed, and not all sources are trained.',
		);
	}
	succeed(source);
}

function trainingError({ source, item, isWritten }: Learner): Failure {
	const advice =
		source.type === 'file'
			? 'A scan has no text: send the text, or a file with text.'
			: 'Check its content, and send it again.';
	const failure = item.error(
		'The training of the source failed',
		`The source (ID ${source.id}) was written, but the chatbot has not learned it. If it has an earlier version, that stays in use. ${advice}`,
	);
	return failure.with({ written: isWritten ? 'yes' : 'no' });
}

function unreadStatus(error: unknown, { source, isWritten }: Learner): Failure {
	const failure = failureOf(error);
	const fact = `The source (ID ${source.id}) was written. Only reading its training status failed.`;
	const sentences = [fact, ...failure.sentences];
	return failure.with({ sentences, written: isWritten ? 'yes' : 'no' });
}

/** @param sources the sources whose training the run did not wait for */
export function tellOfTraining(context: RunContext, sources: readonly Source[]): void {
	const { length } = sources.filter(isInTraining);
	if (length === 0) return;

	const [are, their] = length === 1 ? ['source is', 'its'] : ['sources are', 'their'];
	context.note(
		`${countFormat.format(length)} ${are} still in training, which takes a moment. Then ${their} status is "trained". To wait for that, add ${waitSeconds.property.displayName} under Options.`,
	);
}
