/** The oldest n8n that the package is known to work in. The newest is the pinned one. */
import { type Checks } from '../../../lab/expectations.mjs';
import { HelpfulError } from '../../../lab/help.mjs';
import { ensureOtherRuntime, type Runtime } from '../../../lab/runtime.mjs';
import { setTheStage } from '../../../lab/stage.mjs';
import { questionsAreAnswered } from './chat.mjs';
import { cutResponsesAreUnclear } from './cutResponse.mjs';
import { examplesDoTheirWork } from './examples.mjs';
import { fileIsMirrored } from './folderExample.mjs';
import { packageIsInstalled } from './install.mjs';
import { workersRememberSources } from './queue.mjs';
import { operationsAreTools } from './tools.mjs';
import { contactsStartWorkflow, leadReachesCrm } from './trigger.mjs';

/** The last minor version of n8n 1. */
const oldest = {
	version: '1.123.81',
	before: '2026-09-27',
	overrides: {
		// n8n loads it from a URL outside the registry.
		xlsx: '0.18.5',
		// Later ones need another @langchain/core than this n8n brings.
		'@langchain/langgraph-checkpoint': '1.0.0',
	},
	// For Extract from File.
	peers: { 'date-fns': '^2.30.0' },
};

export async function oldestN8nWorks(checks: Checks): Promise<string> {
	const runtime = await install(checks);
	if (!runtime) return '';
	// It refuses to start when it should disable an unknown module.
	const env = { N8N_DISABLED_MODULES: 'insights' };
	const stage = await setTheStage({ runtime, env });
	try {
		await packageIsInstalled(stage, checks);
		const { status } = await stage.api.testCredential(stage.credential);
		checks.expectEqual("n8n's test of the credential passes", status, 'OK');
		await examplesDoTheirWork(stage, checks);
		await fileIsMirrored(stage, checks);
		await questionsAreAnswered(stage, checks);
		await cutResponsesAreUnclear(stage, checks);
		await operationsAreTools(stage, checks);
		await contactsStartWorkflow(stage, checks);
		await leadReachesCrm(stage, checks);
		checks.skip('streaming: n8n offers it to nodes like this one since 2.37');
		checks.skip('leads by webhook: the Crypto node takes its secret from a credential since 2.x');
	} finally {
		await stage.close();
	}
	await workersRememberSources(checks, { runtime, env });
	return `n8n ${oldest.version}: install, credential, examples, a mirrored file, a question, cut responses, tools, trigger, sources in queue mode`;
}

async function install(checks: Checks): Promise<Runtime | undefined> {
	try {
		return await ensureOtherRuntime(oldest, console.log);
	} catch (error) {
		if (!(error instanceof HelpfulError)) throw error;
		checks.skip(`n8n ${oldest.version}: it could not be installed`, error.message);
		return undefined;
	}
}
