/** The example whose sources follow a list of documents, and what the node remembers between its nights. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Chatbot } from '../../../service/core/store.js';
import { Api } from '../../../lab/api.mjs';
import { ExampleInUse, type Place } from '../../../lab/exampleInUse.mjs';
import { type Execution } from '../../../lab/execution.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { startN8n } from '../../../lab/instance.mjs';
import { startLibrary, type Library } from '../../../lab/library.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { installNode } from '../../../lab/package.mjs';
import { saveCredential, type Stage } from '../../../lab/stage.mjs';

const documentCount = 60;
const byHand = 'Written by hand';

interface World {
	chatbot: Chatbot;
	library: Library;
	mailbox: Mailbox;
	/** Executes the published example, and returns its requests by method. */
	night(): Promise<{ execution: Execution; requests: string[] }>;
}

/** Executes "Knowledge from your documents" on good nights and bad ones. */
export async function sourcesFollowDocuments(place: Place, checks: Checks): Promise<void> {
	await withKnowledge(place, async ({ chatbot, library, mailbox, night }) => {
		checks.expectEqual('The first night creates a source for each document', done(await night()), {
			created: documentCount,
		});

		const [same, , gone, ...rest] = library.documents;
		const changed = { title: 'Article 2', text: 'Everything is different now.' };
		const added = { title: 'New', text: 'Nobody has asked this before.' };
		library.documents = [same!, changed, ...rest, added];
		checks.expectEqual('Only what differs is written and deleted', done(await night()), {
			created: 1,
			updated: 1,
			deleted: 1,
			unchanged: documentCount - 2,
		});
		const present = [byHand, ...library.documents.map(({ title }) => `Docs: ${title}`)].sort();
		checks.expectEqual(
			'The chatbot has the sources of the documents, and the one from the dashboard',
			namesIn(chatbot),
			present,
		);
		checks.expectEqual('No email was sent', mailbox.count, 0);

		library.documents = [...library.documents.slice(0, -1), { title: gone!.title, text: '' }];
		const failed = await night();
		checks.expectEqual(
			'A document without a text fails the run, and nothing is deleted meanwhile',
			[failed.execution.status, namesIn(chatbot)],
			['error', present],
		);
		const { text = '' } = await mailbox.take();
		checks.expectMatch(
			'An email says which document failed and why',
			text,
			new RegExp(`^1 of ${documentCount} sources failed.*: Docs: ${gone!.title}\\.`, 's'),
		);

		library.documents = library.documents.slice(0, documentCount / 3);
		const short = await night();
		checks.expectEqual(
			'With a third of the documents the run fails, and nothing is deleted',
			[short.execution.status, namesIn(chatbot)],
			['error', present],
		);
	});
}

/** Two nights, between which n8n starts anew. */
export async function memoryOutlivesRestart({ service }: Stage, checks: Checks): Promise<string> {
	const userFolder = await mkdtemp(join(tmpdir(), 'n8n-user-'));
	let n8n = await startN8n({ userFolder, prepare: installNode });
	try {
		const api = new Api(n8n.baseUrl);
		await api.session.setUpOwner();
		const place = { api, service, credential: await saveCredential(api, service) };
		await expectRemembered(place, checks, 'a restart of n8n', async () => {
			await n8n.stop();
			n8n = await startN8n({ userFolder });
			place.api = new Api(n8n.baseUrl);
			await place.api.session.logIn();
		});
	} finally {
		await n8n.stop();
		await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
	}
	return 'two nights of an example, n8n restarted between them';
}

/** Executes the example once before and once after something that may cost n8n its memory of the node. */
export async function expectRemembered(
	place: Place,
	checks: Checks,
	event: string,
	happen: () => Promise<void>,
): Promise<void> {
	await withKnowledge(place, async ({ night }) => {
		checks.expectEqual('The first night creates sources', done(await night()), {
			created: documentCount,
		});
		await happen();
		const second = await night();
		checks.expectEqual(`The node remembers them after ${event}`, done(second), {
			unchanged: documentCount,
		});
		checks.expectEqual('It reads one list and writes nothing', second.requests, ['GET']);
	});
}

async function withKnowledge(place: Place, task: (world: World) => Promise<void>): Promise<void> {
	const { service } = place;
	const chatbot = service.store.addChatbot({ name: 'Knowledge checks' });
	service.store.addSource(chatbot.id, { name: byHand });
	const library = await startLibrary(documentCount);
	const mailbox = await Mailbox.open();
	try {
		const world = { chatbotId: chatbot.id, library, mailbox };
		const example = await ExampleInUse.import(place, 'Knowledge from your documents', world);
		const post = await example.publishOnPost();
		const night = async () => {
			service.clearRequests();
			const execution = await post();
			return { execution, requests: service.requests.map(({ method }) => method) };
		};
		await task({ chatbot, library, mailbox, night });
	} finally {
		await Promise.all([library.close(), mailbox.close()]);
	}
}

/** What a night did, as the counts of its summary that aren't 0. */
function done({ execution }: Awaited<ReturnType<World['night']>>) {
	const [summary = {}] = execution.json('Mirror sources');
	const names = ['created', 'updated', 'deleted', 'unchanged', 'failed', 'kept'];
	const counts = names.map((name) => [name, summary[name]] as const);
	return Object.fromEntries(counts.filter(([, count]) => count !== 0));
}

function namesIn({ agent }: Chatbot): Array<string | null> {
	return agent.sources.flatMap(({ name, isGone }) => (isGone ? [] : name)).sort();
}
