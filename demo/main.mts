import { parseArgs } from 'node:util';

import { HelpfulError } from '../lab/help.mjs';
import { Checks } from '../lab/expectations.mjs';
import { printGuide } from './guide.mjs';
import { closeLoop } from './loop.mjs';
import { setTheStage, type Stage } from './stage.mjs';
import { playStory } from './story.mjs';
import { visitWebsite } from './visit.mjs';
import { verifyLoop } from './verify.mjs';

const usage = `npm run demo shows the node in a real n8n, against a simulated service:
it syncs contacts from a simulated CRM twice, mirrors the CRM, mirrors it again while it
returns only a third of its customers, and does the same with documents. Then it closes the loop: a customer
is recognized and asks for an order, and a question without an answer becomes knowledge. The editor and the
page of a simulated shop stay open, and it says which examples to execute.

  npm run demo -- --check       verifies the loop and ends; the rest is verified by npm run test:n8n
  npm run demo -- --port 5678   opens the editor at this port (default: any free port)
`;

/** Runs the demo as the command line asks for. */
export async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			check: { type: 'boolean', default: false },
			port: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	if (values.help) {
		console.log(usage);
		return;
	}
	const port = values.port === undefined ? undefined : Number(values.port);
	if (port !== undefined && !(Number.isInteger(port) && port >= 1024 && port <= 65535)) {
		explain(new HelpfulError('--port needs a number from 1024 to 65535, such as 5678.'));
	} else if (values.check) {
		await check(port);
	} else {
		await show(port).catch(explain);
	}
}

/** Tells the story, then keeps the editor open. */
async function show(port: number | undefined): Promise<void> {
	const stage = await setTheStage(port);
	await playStory(stage);
	loseCustomers(stage);
	printGuide(stage);
	process.exitCode = 0;
	await stage.n8n.ended;
	throw new HelpfulError(`n8n has ended. Its last output:\n${stage.n8n.log().slice(-2000)}`);
}

/** Goes around the loop, verifies it and ends. */
async function check(port: number | undefined): Promise<void> {
	const checks = new Checks();
	let stage: Stage | undefined;
	try {
		stage = await setTheStage(port);
		verifyLoop(stage, await closeLoop(stage), checks);
		await visitWebsite(stage, checks);
	} catch (error) {
		checks.expect('The demo runs to its end', false);
		explain(error);
	} finally {
		await stage?.close();
	}
	checks.conclude();
}

/** Gives both mirrors something to show. */
function loseCustomers({ crm, customers }: Stage): void {
	crm.customers = customers.slice(2);
}

function explain(error: unknown): void {
	console.error(error instanceof HelpfulError ? `\n${error.message}` : error);
	process.exitCode = 1;
}
