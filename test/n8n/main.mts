/**
 * `npm run test:n8n` takes the packed package into a real n8n and proves by use what tests in the
 * engine can't; `npm run test:n8n -- --help` says how.
 */
import { parseArgs } from 'node:util';

import { chromiumHelp } from './browser.mjs';
import { credentialIsTested } from './checks/credential.mjs';
import { answerIsStreamed, chatWindowShowsAnswers, questionIsAnswered } from './checks/chat.mjs';
import { contactFieldsAreStored } from './checks/contactFields.mjs';
import { examplesDoTheirWork } from './checks/examples.mjs';
import { nodeIsFound, packageIsInstalled } from './checks/install.mjs';
import { everyPanelIsComplete } from './checks/panels.mjs';
import { operationsAreTools } from './checks/tools.mjs';
import { triggerStartsWorkflows } from './checks/trigger.mjs';
import { workflowIsBuiltByHand } from './checks/use.mjs';
import { Checks } from './expectations.mjs';
import { HelpfulError } from './help.mjs';
import { buildNode } from './package.mjs';
import { ensureRuntime } from './runtime.mjs';
import { setTheStage, type Stage } from './stage.mjs';
import { printSummary, type Row } from './summary.mjs';

/** One row of the summary. */
interface Topic {
	name: string;
	needsBrowser?: boolean;
	/** Returns what was done, for the summary. */
	run: (stage: Stage, checks: Checks) => Promise<string>;
}

const topics: Topic[] = [
	{ name: 'install', run: packageIsInstalled },
	{ name: 'find', needsBrowser: true, run: nodeIsFound },
	{ name: 'credential', needsBrowser: true, run: credentialIsTested },
	{ name: 'panels', needsBrowser: true, run: everyPanelIsComplete },
	{ name: 'use', needsBrowser: true, run: workflowIsBuiltByHand },
	{ name: 'contact fields', needsBrowser: true, run: contactFieldsAreStored },
	{ name: 'examples', run: examplesDoTheirWork },
	{ name: 'chat', run: chat },
	{ name: 'trigger', run: triggerStartsWorkflows },
	{ name: 'tools', run: operationsAreTools },
];

const usage = `npm run test:n8n takes the packed package into a real n8n and uses it as its users do.

  npm run test:n8n -- --full         runs the queue mode and the oldest n8n too
  npm run test:n8n -- --only <name>  runs one part (repeat it for more):
                                     ${topics.map(({ name }) => name).join(', ')}
`;

const { values } = parseArgs({
	options: {
		full: { type: 'boolean', default: false },
		only: { type: 'string', multiple: true, default: [] },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) console.log(usage);
else await main(values.only);

async function chat(stage: Stage, checks: Checks): Promise<string> {
	await checks.attempt(
		'A chat with history is streamed',
		async () => await answerIsStreamed(stage),
	);
	await checks.attempt('A posted question is answered, and so is a failure', async () => {
		await questionIsAnswered(stage);
	});
	if (stage.editor) {
		await checks.attempt("The editor's chat shows answers", async () => {
			await chatWindowShowsAnswers(stage);
		});
	} else {
		checks.skip(`the editor's chat. ${chromiumHelp}`);
	}
	return 'three questions streamed, two posted, two in the chat of the editor';
}

async function main(only: string[]): Promise<void> {
	const checks = new Checks();
	const rows: Row[] = [];
	const wanted = topics.filter(({ name }) => only.length === 0 || only.includes(name));
	let stage: Stage | undefined;
	const time = async (name: string, run: () => Promise<string>) => {
		console.log(`\n${name}`);
		const before = checks.counts;
		const start = performance.now();
		let what = '';
		await run().then(
			(done) => (what = done),
			async (error: unknown) => {
				console.error(error instanceof HelpfulError ? error.message : error);
				checks.expect(`"${name}" runs to its end`, false);
				await stage?.editor?.screenshot(`failed-${name}`).catch(() => {});
			},
		);
		const after = checks.counts;
		rows.push({
			name,
			seconds: (performance.now() - start) / 1000,
			passed: after.passed - before.passed,
			failed: after.failed - before.failed,
			skipped: after.skipped - before.skipped,
			what,
		});
	};

	await time('start', async () => {
		await ensureRuntime(console.log);
		await buildNode();
		stage = await setTheStage();
		return 'the simulated service, n8n with the packed package in it, a browser';
	});
	if (stage) {
		const running = stage;
		for (const topic of wanted) {
			await time(topic.name, async () => {
				if (!topic.needsBrowser || running.editor) return await topic.run(running, checks);
				checks.skip(`what needs a browser. ${chromiumHelp}`);
				return '';
			});
		}
		await running.close();
	}
	printSummary(rows);
	checks.conclude();
}
