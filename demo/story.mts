import { mirror, nightlySync, type Stage } from './stage.mjs';
import { printRun, sync, syncTwice, type Run } from './sync.mjs';

/** The runs of the demo: a nightly sync, and a mirror whose CRM returns only part of its list. */
export interface Story {
	nightly: [Run, Run];
	mirror: { first: Run; short: Run };
}

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
	return { nightly, mirror: { first, short } };
}
