import { closeLoop } from './loop.mjs';
import { knowledge, mirror, nightlySync, type Stage } from './stage.mjs';
import { printRun, publish, sync } from './sync.mjs';

/** How many documents change after the first night. */
const rewrittenCount = 2;

/**
 * Runs the examples and prints each outcome: a nightly sync, a mirror whose CRM returns only part of its list, a mirror
 * of documents, and the loop.
 */
export async function playStory(stage: Stage): Promise<void> {
	console.log(`\n${nightlySync}`);
	printRun('First run ', await sync(stage, nightlySync));
	printRun('Second run', await sync(stage, nightlySync));

	await tellMirror(stage);
	await tellKnowledge(stage);
	await closeLoop(stage);
}

async function tellMirror(stage: Stage): Promise<void> {
	const { crm, customers } = stage;
	console.log(`\n${mirror}`);
	printRun('First night', await sync(stage, mirror));

	crm.customers = customers.slice(0, customers.length / 3);
	const title = 'Next night, the CRM returns only a third of its customers';
	printRun(title, await sync(stage, mirror));
	crm.customers = customers;
}

async function tellKnowledge(stage: Stage): Promise<void> {
	const { library } = stage;
	const { documents } = library;
	console.log(`\n${knowledge}`);
	const night = await publish(stage, knowledge);
	printRun('First night', await night());

	library.documents = documents.map((document, index) =>
		index < rewrittenCount ? { ...document, text: 'This has changed.' } : document,
	);
	printRun(`Next night, ${rewrittenCount} documents have changed`, await night());

	library.documents = library.documents.slice(0, documents.length / 3);
	printRun('Next night, only a third of the documents arrive', await night());
	library.documents = documents;
}
