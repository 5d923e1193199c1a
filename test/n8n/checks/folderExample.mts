/** The example whose sources follow the files of a folder. */
import { type Chatbot } from '../../../service/core/store.js';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Library, startLibrary } from '../../../lab/library.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Workflow } from '../../../lab/workflow.mjs';

const prices = '%PDF-1.4 A parcel costs 4 euros.';

/** As a Mac names it: the accent is a character of its own. */
const cafe = 'Café.txt'.normalize('NFD');

/** Sources that are no files of the folder. */
const others = ['Folder: a text of the dashboard', 'Shared folder: house rules', 'folder: lower'];

export async function sourcesFollowFolder(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const { behaviourV2 } = service;
	const chatbot = service.store.addChatbot({ name: 'Folder checks' });
	const [text, ...files] = others;
	service.store.addSource(chatbot.id, { name: text });
	for (const name of files) service.store.addSource(chatbot.id, { name, type: 'file' });
	const library = await startLibrary(0, {
		[cafe]: 'Coffee is served from 9 to 5.',
		'Faq.csv': 'question,answer\nDo you ship to Norway?,Yes',
		Handbook: 'PK The handbook, a Google Doc.',
		'Hours.txt': 'From 9 to 5.',
		'Logo.png': 'No text at all.',
		'Prices.pdf': prices,
		'Rules.MD': '# House rules\n\nNo smoking.',
	});
	const mailbox = await Mailbox.open();
	try {
		const world = { chatbotId: chatbot.id, library, mailbox };
		const example = await ExampleInUse.import(stage, 'Knowledge from a folder', world);
		const post = await example.publishOnPost();
		const night = async () => {
			service.clearRequests();
			const { status } = await post();
			const writes = service.requests.filter(({ method }) => method !== 'GET');
			return [status, ...writes.map(({ method }) => method)];
		};

		const all = ['Café.txt', 'Faq.csv', 'Handbook', 'Hours.txt', 'Prices.pdf', 'Rules.MD'];
		await night();
		const present = [...all.map((name) => `Folder: ${name}`), ...others].sort();
		checks.expectEqual(
			'Each file that can be taught is a source, also a Google Doc, a table and Markdown',
			namesIn(chatbot),
			present,
		);
		library.folder['Hours.txt'] = 'From 9 to 6.';
		checks.expectEqual('A changed file is sent, and no other', await night(), ['success', 'PUT']);
		checks.expectEqual('No email was sent', mailbox.count, 0);

		const { folder } = library;
		library.folder = { 'Faq.csv': folder['Faq.csv']! };
		checks.expectEqual(
			'With one of six files nothing is sent, and nothing deleted',
			[...(await night()), ...namesIn(chatbot)],
			['success', ...present],
		);
		const gone = await mailbox.take();
		checks.expectMatch(
			'An email counts and names the others',
			`${gone.subject}\n${gone.text}`,
			/^Sources without a file: 5\n.*^Folder: Prices\.pdf: missing$/ms,
		);

		behaviourV2.fileText = 'none';
		library.folder = {
			...folder,
			'Lost.csv': 'question,answer',
			'Lost.pdf': '%PDF-1.4 Lost.',
			'Scan.pdf': '%PDF-1.4',
		};
		library.lost = ['Lost.csv', 'Lost.pdf'];
		checks.expectEqual('Files that fail do not stop the others', await night(), ['error', 'POST']);
		checks.expectMatch(
			'The team gets an email with the failed downloads, and what was not learned',
			(await mailbox.take()).text ?? '',
			/^3 of 9 sources failed.*no file.*: Folder: Lost\.csv, .*\.pdf.*training.*: Folder: Scan\.pdf\./s,
		);
	} finally {
		behaviourV2.fileText = 'found';
		await Promise.all([library.close(), mailbox.close()]);
	}
}

function namesIn({ agent }: Chatbot): string[] {
	return agent.sources.flatMap(({ name, isGone }) => (isGone ? [] : (name ?? ''))).sort();
}

/** Downloads a file and mirrors it as a source, twice. */
export async function fileIsMirrored(stage: Stage, checks: Checks): Promise<void> {
	const { api, credential, service } = stage;
	const chatbot = service.store.addChatbot({ name: 'File checks' });
	const library = await startLibrary(0, { 'Prices.pdf': prices });
	try {
		const stored = await api.importWorkflow(mirrorOf(library, chatbot.id), [credential]);
		for (const action of ['created', 'unchanged']) {
			service.clearRequests();
			const execution = await api.runWorkflow(stored);
			const [{ _sync, name } = {}] = execution.json('Mirror');
			const expected = ['Prices.pdf', { action }];
			checks.expectEqual(`A mirrored file is ${action}`, [name, _sync], expected);
		}
	} finally {
		await library.close();
	}
}

function mirrorOf({ baseUrl }: Library, chatbotId: string): Workflow {
	const place = (name: string, type: string, typeVersion: number, index: number) => ({
		id: name,
		name,
		type,
		typeVersion,
		position: [240 * index, 0],
	});
	return {
		name: 'File to source',
		nodes: [
			{ ...place('Start', 'n8n-nodes-base.manualTrigger', 1, 0), parameters: {} },
			{
				...place('Download', 'n8n-nodes-base.httpRequest', 4.2, 1),
				parameters: {
					url: `${baseUrl}/files/id of Prices.pdf`,
					options: { response: { response: { responseFormat: 'file' } } },
				},
			},
			{
				...place('Mirror', 'n8n-nodes-chatbase.chatbase', 1, 2),
				parameters: {
					resource: 'source',
					operation: 'mirror',
					dryRun: false,
					chatbotId: { __rl: true, mode: 'id', value: chatbotId },
					sourceType: 'file',
					binaryPropertyName: 'data',
					name: 'Prices.pdf',
					onMissing: 'report',
					namePrefix: 'P',
					manageTypes: ['file'],
				},
				credentials: { chatbaseV1Api: { id: '', name: '' } },
			},
		],
		connections: {
			Start: { main: [[{ node: 'Download', type: 'main', index: 0 }]] },
			Download: { main: [[{ node: 'Mirror', type: 'main', index: 0 }]] },
		},
	};
}
