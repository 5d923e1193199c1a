import { closeLoop, type Loop } from './loop.mjs';
import { knowledge, mirror, nightlySync, type Stage } from './stage.mjs';
import { printRun, publish, sync, syncTwice, type Run } from './sync.mjs';

/** The runs of the demo: a nightly sync, a mirror whose CRM returns only part of its list, a mirror of documents, and the loop. */
export interface Story {
	nightly: [Run, Run];
	mirror: { first: Run; short: Run };
	knowledge: { first: Run; changed: Run; short: Run };
	loop: Loop;
}

/** How many documents change after the first night. */
export const rewrittenCount = 2;

/** Runs the examples and prints each outcome. */
export async function playStory(stage: Stage): Promise<Story> {
	const nightly = await syncTwice(stage, nightlySync);
	console.log(`\n${nightlySync}`);
	printRun('First run ', nightly[0]);
	printRun('Second run', nightly[1]);

	const { crm, customers } = stage;
	console.log(`\n${mirror}`);
	const first = await sync(stage, mirror);
	printRun('First night', first);
	crm.customers = customers.slice(0, customers.length / 3);
	const short = await sync(stage, mirror);
	printRun('Next night, the CRM returns only a third of its customers', short);
	crm.customers = customers;
	const knowledgeRuns = await tellKnowledge(stage);
	const loop = await closeLoop(stage);
	return { nightly, mirror: { first, short }, knowledge: knowledgeRuns, loop };
}

async function tellKnowledge(stage: Stage): Promise<Story['knowledge']> {
	const { library } = stage;
	const { documents } = library;
	console.log(`\n${knowledge}`);
	const night = await publish(stage, knowledge);
	const first = await night();
	printRun('First night', first);
	library.documents = documents.map((document, index) =>
		index < rewrittenCount ? { ...document, text: 'This has changed.' } : document,
	);
	const changed = await night();
	printRun(`Next night, ${rewrittenCount} documents have changed`, changed);
	library.documents = library.documents.slice(0, documents.length / 3);
	const short = await night();
	printRun('Next night, only a third of the documents arrive', short);
	library.documents = documents;
	return { first, changed, short };
}
