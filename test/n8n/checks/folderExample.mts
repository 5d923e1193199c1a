/** The example whose sources follow the files of a folder. */
import { type Chatbot } from '../../../service/store.js';
import { ExampleInUse } from '../../../lab/exampleInUse.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { type Library, startLibrary } from '../../../lab/library.mjs';
import { Mailbox } from '../../../lab/mailbox.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Workflow } from '../../../lab/workflow.mjs';

const byHand = 'Written by hand';
const prices = '%PDF-1.4 A parcel costs 4 euros.';

export async function sourcesFollowFolder(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const { behaviourV2 } = service;
	const chatbot = service.store.addChatbot({ name: 'Folder checks' });
	service.store.addSource(chatbot.id, { name: byHand });
	const library = await startLibrary(0, {
		'Faq.csv': 'question,answer\nDo you ship to Norway?,Yes',
		'Handbook.docx': 'PK The handbook.',
		'Hours.txt': 'From 9 to 5.',
		'Logo.png': 'No text at all.',
		'Prices.pdf': prices,
	});
	const mailbox = await Mailbox.open();
	try {
		const world = { chatbotId: chatbot.id, library, mailbox };
		const example = await ExampleInUse.import(stage, 'Knowledge from a folder', world);
		const post = await example.publishOnPost();
		const night = async () => {
			service.clearRequests();
			library.downloads = [];
			const { status } = await post();
			const writes = service.requests.filter(({ method }) => method !== 'GET');
			const written = writes.map(({ method }) => method);
			return { status, written, downloads: library.downloads.sort() };
		};

		const all = ['Faq.csv', 'Handbook.docx', 'Hours.txt', 'Prices.pdf'];
		checks.expectEqual('The first night downloads and sends what can be taught', await night(), {
			status: 'success',
			written: ['POST', 'POST', 'POST', 'POST'],
			downloads: all,
		});
		checks.expectEqual('A CSV file is a text, the others are files', sourcesIn(chatbot), [
			['Folder: Faq.csv', 'text'],
			['Folder: Handbook.docx', 'file'],
			['Folder: Hours.txt', 'file'],
			['Folder: Prices.pdf', 'file'],
			[byHand, 'text'],
		]);
		checks.expectEqual('The second night downloads nothing and sends nothing', await night(), {
			status: 'success',
			written: [],
			downloads: [],
		});

		library.folder['Hours.txt'] = 'From 9 to 6.';
		delete library.folder['Prices.pdf'];
		checks.expectEqual(
			'A changed file is sent, and the source of a deleted one goes',
			await night(),
			{
				status: 'success',
				written: ['PUT', 'DELETE'],
				downloads: ['Hours.txt'],
			},
		);
		library.folder['Prices.pdf'] = prices;
		checks.expectEqual('A file that returns is sent again', (await night()).downloads, [
			'Prices.pdf',
		]);
		checks.expectEqual('No email was sent', mailbox.count, 0);

		behaviourV2.fileText = 'none';
		library.folder['Scan.pdf'] = '%PDF-1.4';
		checks.expectEqual('A scan without a text ends no run', (await night()).status, 'success');
		const { subject, text = '' } = await mailbox.take();
		checks.expectEqual('The team gets an email', subject, 'Files not learned: 1');
		checks.expectMatch('It says which file and why', text, /^Folder: Scan\.pdf: .*training/s);
		behaviourV2.fileText = 'found';
		library.folder['Scan.pdf'] = '%PDF-1.4 With a text.';
		checks.expectEqual('The next night tries again', (await night()).downloads, ['Scan.pdf']);

		library.folder['Lost.csv'] = 'question,answer';
		library.folder['Lost.pdf'] = '%PDF-1.4 Lost.';
		library.lost = ['Lost.csv', 'Lost.pdf'];
		checks.expectEqual('Failed downloads end no run', (await night()).status, 'success');
		const lost = await mailbox.take();
		checks.expectEqual('One email has both', lost.subject, 'Files not learned: 2');
		checks.expectMatch(
			'It says that they could not be downloaded',
			lost.text ?? '',
			/^Folder: Lost\.csv: .*No such file.*\n\nFolder: Lost\.pdf: .*No such file/s,
		);
		delete library.folder['Lost.csv'];
		delete library.folder['Lost.pdf'];

		const before = sourcesIn(chatbot);
		library.folder = { 'Faq.csv': library.folder['Faq.csv']! };
		checks.expectEqual('With one of five files the run fails', await night(), {
			status: 'error',
			written: [],
			downloads: [],
		});
		checks.expectMatch(
			'An email says what to check',
			(await mailbox.take()).text ?? '',
			/^4 of 5 files are missing .*Nothing was deleted/,
		);
		checks.expectEqual('Nothing is deleted', sourcesIn(chatbot), before);
	} finally {
		behaviourV2.fileText = 'found';
		await Promise.all([library.close(), mailbox.close()]);
	}
}

function sourcesIn({ agent }: Chatbot) {
	return agent.sources
		.flatMap(({ name, type, isGone }) => (isGone ? [] : [[name ?? '', type]]))
		.sort(([one], [other]) => (one! < other! ? -1 : 1));
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
			checks.expectEqual(
				`A mirrored file is ${action}`,
				[name, _sync],
				['Prices.pdf', action === 'created' ? { action, changed: ['file'] } : { action }],
			);
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
