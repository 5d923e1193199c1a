/** Any n8n that is published as an image: what people do in the first minutes works in it. */
import { type Checks } from '../../../lab/expectations.mjs';
import { setTheStage, type Stage } from '../../../lab/stage.mjs';
import { SyncJobs } from '../../../lab/syncJobs.mjs';
import { packageIsInstalled } from './install.mjs';
import { contactsStartWorkflow } from './trigger.mjs';

export async function imageWorks(image: string, checks: Checks): Promise<string> {
	const stage = await setTheStage({ runtime: { image }, withBrowser: false });
	try {
		await packageIsInstalled(stage, checks);
		const { status } = await stage.api.testCredential(stage.credential);
		checks.expectEqual("n8n's test of the credential passes", status, 'OK');
		await contactsAreSynced(stage, checks);
		await contactsStartWorkflow(stage, checks);
		const { versionCli } = await stage.api.session.request<{ versionCli: string }>(
			'GET',
			'/rest/settings',
		);
		return `n8n ${versionCli}: install, credential, a sync, a trigger`;
	} finally {
		await stage.close();
	}
}

/** The second sync sends only what differs. */
async function contactsAreSynced({ api, credential, service }: Stage, checks: Checks) {
	const chatbot = service.store.addChatbot({ name: 'Sync checks' });
	const jobs = await SyncJobs.publish(api, credential, chatbot.id);
	const sync = async (names: string[]) => {
		await jobs.post([names.map((name, index) => ({ external_id: `c-${index}`, name }))]);
		return await jobs.wait();
	};

	const first = await sync(['Ada', 'Grace', 'Joan']);
	service.clearRequests();
	const second = await sync(['Ada', 'Grace', 'Jean']);

	checks.expectEqual('Two syncs succeed', [first, second], [{ success: 1 }, { success: 2 }]);
	checks.expectEqual(
		'Contacts are created and changed',
		Array.from(chatbot.contacts, ({ external_id, name }) => [external_id, name]),
		[
			['c-0', 'Ada'],
			['c-1', 'Grace'],
			['c-2', 'Jean'],
		],
	);
	checks.expectEqual(
		'Only what differs is sent',
		service.requests.filter(({ method }) => method !== 'GET').map(({ method }) => method),
		['PATCH'],
	);
}
