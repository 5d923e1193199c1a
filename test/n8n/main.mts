/**
 * `npm run test:n8n` installs the packed package in a real n8n and checks by use what tests in the
 * engine can't; `npm run test:n8n -- --help` lists the options.
 */
import { parseArgs } from 'node:util';

import { chromiumHelp, noChromium } from '../../lab/browser.mjs';
import { agentUsesTools } from './checks/agent.mjs';
import { chatsAreAnswered } from './checks/chat.mjs';
import { exportsBecomeContacts } from './checks/filesByClicks.mjs';
import { chatRemembers } from './checks/conversation.mjs';
import { contactFieldsAreStored } from './checks/contactFields.mjs';
import { credentialIsTested } from './checks/credential.mjs';
import { listsSurviveEngine2 } from './checks/engine2.mjs';
import { examplesDoTheirWork } from './checks/examples.mjs';
import { imageWorks } from './checks/image.mjs';
import { nodeIsFound, packageIsInstalled } from './checks/install.mjs';
import { everyPanelIsComplete } from './checks/panels.mjs';
import { loopIsClosed } from './checks/loop.mjs';
import { memoryOutlivesRestart } from './checks/knowledge.mjs';
import { jobsAreSpread } from './checks/queue.mjs';
import { spreadsheetWorksAtFirstTry } from './checks/spreadsheetAtFirstTry.mjs';
import { newcomerSyncsContacts } from './checks/newcomer.mjs';
import { retriesDoNothingTwice } from './checks/retry.mjs';
import { smallListIsMirrored } from './checks/smallMirror.mjs';
import { spreadsheetIsMapped } from './checks/spreadsheet.mjs';
import { templateIsSent } from './checks/template.mjs';
import { operationsAreTools } from './checks/tools.mjs';
import { triggerStartsWorkflows } from './checks/trigger.mjs';
import { workflowIsBuiltByHand } from './checks/use.mjs';
import { oldestN8nWorks } from './checks/versions.mjs';
import { type Checks } from '../../lab/expectations.mjs';
import { Leftovers } from './leftovers.mjs';
import { buildNode } from '../../lab/package.mjs';
import { Run } from './run.mjs';
import { ensureRuntime } from '../../lab/runtime.mjs';
import { setTheStage, type Stage } from '../../lab/stage.mjs';

/** A part that runs on the common stage. */
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
	{ name: 'newcomer', needsBrowser: true, run: newcomerSyncsContacts },
	{ name: 'first try', needsBrowser: true, run: spreadsheetWorksAtFirstTry },
	{ name: 'files', needsBrowser: true, run: exportsBecomeContacts },
	{ name: 'small mirror', needsBrowser: true, run: smallListIsMirrored },
	{ name: 'spreadsheet', run: spreadsheetIsMapped },
	{ name: 'conversation', needsBrowser: true, run: chatRemembers },
	{ name: 'contact fields', needsBrowser: true, run: contactFieldsAreStored },
	{ name: 'template', needsBrowser: true, run: templateIsSent },
	{ name: 'retry', run: retriesDoNothingTwice },
	{ name: 'examples', run: examplesDoTheirWork },
	{ name: 'loop', run: loopIsClosed },
	{ name: 'memory', run: memoryOutlivesRestart },
	{ name: 'chat', run: chatsAreAnswered },
	{ name: 'trigger', run: triggerStartsWorkflows },
	{ name: 'tools', run: operationsAreTools },
	{ name: 'agent', run: agentUsesTools },
];

/** Parts that start their own servers; they run with --full. */
const longTopics = [
	{ name: 'queue', run: jobsAreSpread },
	{ name: 'engine 2', run: listsSurviveEngine2 },
	{ name: 'versions', run: oldestN8nWorks },
];

const usage = `npm run test:n8n takes the packed package into a real n8n and uses it as its users do.

  npm run test:n8n -- --full         runs the queue mode, Engine 2.0 and the oldest n8n too, and keeps pictures of every panel
  npm run test:n8n -- --image <name> runs the first steps of a user in another n8n, such as n8nio/n8n:stable, with Docker on Linux
  npm run test:n8n -- --only <name>  runs one part (repeat it for more):
                                     ${topics.map(({ name }) => name).join(', ')};
                                     ${longTopics.map(({ name }) => name).join(', ')}
`;

const { values } = parseArgs({
	options: {
		image: { type: 'string' },
		full: { type: 'boolean', default: false },
		only: { type: 'string', multiple: true, default: [] },
		help: { type: 'boolean', default: false },
	},
});

const names = [...topics, ...longTopics].map(({ name }) => name);
const unknown = values.only.filter((name) => !names.includes(name));

if (values.help) {
	console.log(usage);
} else if (unknown.length > 0) {
	console.error(`There is no part "${unknown[0]}". The parts are: ${names.join(', ')}.`);
	process.exitCode = 1;
} else {
	await main();
}

async function main(): Promise<void> {
	const { image, only, full } = values;
	const isWanted = ({ name }: { name: string }) => only.length === 0 || only.includes(name);
	const run = new Run();
	await run.time('build', async () => {
		if (image === undefined) await ensureRuntime(console.log);
		await buildNode();
		return 'the package compiled';
	});
	// Later than the build, whose tools keep their caches among the temporary files.
	const leftovers = await Leftovers.watch();
	if (image !== undefined) {
		await run.time(image, async () => await imageWorks(image, run.checks));
		return run.conclude();
	}
	const wanted = topics.filter(isWanted);
	if (wanted.length > 0) await runOnStage(run, wanted);
	for (const topic of longTopics.filter(isWanted)) {
		if (!full && only.length === 0) continue;
		await run.time(topic.name, async () => await topic.run(run.checks));
	}
	await run.time('leftovers', async () => await leftovers.check(run.checks));
	run.conclude();
}

async function runOnStage(run: Run, wanted: Topic[]): Promise<void> {
	await run.time('start', async () => {
		const stage = (run.stage = await setTheStage());
		const parts = ['the simulated service', 'n8n with the packed package in it'];
		return [...parts, ...(stage.editor ? ['a browser'] : [])].join(', ');
	});
	const { stage } = run;
	if (!stage) return;
	stage.takesPictures = values.full;
	for (const topic of wanted) {
		await run.time(topic.name, async () => {
			if (!topic.needsBrowser || stage.editor) return await topic.run(stage, run.checks);
			run.checks.skip(`what needs a browser: ${noChromium}`, chromiumHelp);
			return '';
		});
	}
	await stage.close();
}
