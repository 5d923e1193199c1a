/** The jobs in the order in which they run. */
import type { Bench } from '../bench.mjs';
import type { Section } from '../report.mjs';
import * as exportConversations from './exportConversations.mjs';
import * as growth from './growth.mjs';
import * as mainThread from './mainThread.mjs';
import * as memory from './memory.mjs';
import * as mirrorSources from './mirrorSources.mjs';
import * as nightly from './nightly.mjs';
import * as ownTime from './ownTime.mjs';
import * as patchEach from './patchEach.mjs';
import * as rateLimit from './rateLimit.mjs';
import * as readList from './readList.mjs';
import * as refusedBatch from './refusedBatch.mjs';
import * as stream from './stream.mjs';
import * as sync from './sync.mjs';
import * as syncManually from './syncManually.mjs';
import * as uploadFiles from './uploadFiles.mjs';

interface Job {
	title: string;
	run(bench: Bench): Promise<Section>;
}

export const jobs: Record<string, Job> = {
	readList,
	sync,
	syncManually,
	nightly,
	exportConversations,
	mirrorSources,
	uploadFiles,
	patchEach,
	rateLimit,
	refusedBatch,
	ownTime,
	stream,
	memory,
	growth,
	mainThread,
};
