/** Files of input items, sent as sources. */
import { createHash } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { titleOf } from '../../errorTexts';
import { skippedTime } from '../fastTime';
import { storeFile } from '../harness';
import { byId, succeeded } from '../testbed';
import { chatbotId, goOn, itemWithFile, outcomes, withFile, useWorld } from './world';

const world = useWorld('create');

const file = { sourceType: 'file' };
const megabyte = 1024 * 1024;
const types = {
	'Handbook.PDF': 'application/pdf',
	'a.doc': 'application/msword',
	'b.docx': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	'näme (1).v2.txt': 'text/plain',
};
const mediaTypes: Record<string, string> = {
	doc: types['a.doc'],
	docx: types['b.docx'],
	pdf: types['Handbook.PDF'],
	txt: types['näme (1).v2.txt'],
};

/** Refuses every upload with this error. */
const refuseFiles = (error: object) =>
	world.testbed.service.faults.add({ fault: { kind: 'status', status: 400, body: { error } } });

const forms = () => world.testbed.service.requests.map(({ body }) => body);

describe('Create', () => {
	it.each(Object.entries(types))(
		'sends %s as a form, with its type',
		async (filename, mimetype) => {
			const bytes = Buffer.from(`Content of ${filename} \0\xff`, 'latin1');
			const { items } = await world.succeed(file, [itemWithFile(filename, bytes)]);
			expect(world.steps).toEqual(['POST sources']);
			const sha256 = createHash('sha256').update(bytes).digest('hex');
			expect(forms()).toMatchObject([
				{ name: filename, file: { filename, mimetype, size: bytes.length, sha256 } },
			]);
			expect(world.testbed.illegal).toEqual([]);
			expect(items).toMatchObject([
				{ json: { type: 'file', name: filename, status: 'untrained' }, pairedItem: { item: 0 } },
			]);
		},
	);

	const docx = types['b.docx'];

	it.each([
		['of a Google Doc', { fileName: 'Handbook', fileExtension: 'docx' }, 'Handbook.docx'],
		[
			'that only looks like an ending',
			{ fileName: 'Handbook 1.2', fileExtension: '2', mimeType: docx },
			'Handbook 1.2.docx',
		],
		[
			'without an ending, with a MIME type',
			{ fileName: 'Prices', mimeType: 'Application/PDF; charset=binary' },
			'Prices.pdf',
		],
		['that is missing', { mimeType: docx }, 'file.docx'],
		['of a table', { fileName: 'Faq.csv', fileExtension: 'csv' }, 'Faq.csv.txt'],
		['of a Markdown text', { fileName: 'Hours.MD', fileExtension: 'MD' }, 'Hours.MD.txt'],
		['of an export', { fileName: 'Data.JSON', fileExtension: 'JSON' }, 'Data.JSON.txt'],
		['of a table without an ending', { fileName: 'Faq', fileExtension: 'csv' }, 'Faq.txt'],
		[
			'that is not what n8n takes it for',
			{ fileName: 'a.PDF', fileExtension: 'docx', mimeType: docx },
			'a.PDF',
		],
	])('sends a name %s with an ending that the service accepts', async (_, data, filename) => {
		const binary = { mimeType: 'application/octet-stream', ...data };
		await world.succeed({ ...file, name: 'Handbook' }, [withFile(binary, 'x')]);
		const mimetype = mediaTypes[filename.split('.').at(-1)!.toLowerCase()];
		expect(forms()).toMatchObject([{ name: 'Handbook', file: { filename, mimetype } }]);
		expect(world.testbed.illegal).toEqual([]);
	});

	it('names a source after its file, with the ending', async () => {
		await world.succeed(file, [
			withFile({ fileName: 'Handbook', fileExtension: 'docx', mimeType: docx }, 'x'),
		]);
		expect(forms()).toMatchObject([{ name: 'Handbook.docx' }]);
	});

	it('takes name and field from the panel, for each item', async () => {
		const fields = { name: '={{ $json.title }}', binaryPropertyName: '={{ $json.field }}' };
		await world.succeed({ ...file, ...fields }, [
			itemWithFile('a.txt', 'one', { title: ' Docs: a ', field: 'data' }),
			itemWithFile('b.txt', 'two', { title: '', field: 'data' }),
		]);
		expect(forms()).toMatchObject([
			{ name: 'Docs: a', file: { filename: 'a.txt' } },
			{ name: 'b.txt', file: { filename: 'b.txt' } },
		]);
	});

	it('takes an answer that has the source in its data', async () => {
		world.switchTo({ fileAnswer: 'data' });
		const { items } = await world.succeed(file, [itemWithFile('a.txt', 'one')]);
		expect(items[0].json).toMatchObject({ id: world.sources[0].id, type: 'file' });
		expect(world.steps).toEqual(['POST sources']);
	});

	it('reads a file that n8n keeps on disk, piece by piece and once more to send it', async () => {
		const bytes = Buffer.alloc(300_000, 'Text of a handbook. ');
		const data = await storeFile('a.txt', 'text/plain', bytes);
		expect(data.id).toMatch(/^filesystem/);
		await world.succeed(file, [{ json: {}, binary: { data } }]);
		const sha256 = createHash('sha256').update(bytes).digest('hex');
		expect(forms()).toMatchObject([{ file: { size: bytes.length, sha256 } }]);
	});

	it('takes a file of which only the name is known', async () => {
		const unknown = { mimeType: null, fileExtension: null } as unknown as { mimeType: string };
		await world.succeed(file, [withFile({ fileName: 'a.txt', ...unknown }, 'one')]);
		expect(forms()).toMatchObject([{ file: { filename: 'a.txt', mimetype: 'text/plain' } }]);
	});

	it('takes the largest file', async () => {
		await world.succeed(file, [itemWithFile('a.pdf', Buffer.alloc(20 * megabyte))]);
		expect(forms()).toMatchObject([{ file: { size: 20 * megabyte } }]);
	});

	it('quotes why the service refuses a file', async () => {
		const details = { file: 'File size must be between 50 bytes and 20 MB' };
		refuseFiles({ code: 'INVALID_BODY', message: 'Invalid request', details });
		const { error } = await world.run(file, [itemWithFile('a.txt', 'short')]);
		expect(error?.message).toBe('The service rejected the request');
		expect(error?.description).toContain('File size must be between 50 bytes and 20 MB');
		expect(error?.description).toContain('The file is "a.txt".');
	});

	it.each([
		[{ storageLimit: 2 }, titleOf('422')],
		[{ fileHost: 'none' as const }, 'Files are not accepted at this address'],
	])('says in words what the service refuses: %j', async (behaviour, title) => {
		world.switchTo(behaviour);
		const { error } = await world.run(file, [itemWithFile('a.txt', 'Long')]);
		expect(error?.message).toBe(title);
	});
});

describe('before any request', () => {
	const good = itemWithFile('good.txt', 'good');

	it.each<[string, ReturnType<typeof withFile>, string, string]>([
		['no name', withFile({ mimeType: 'text/plain' }, 'x'), 'Name is empty', 'Enter the name'],
		['no ending', itemWithFile('readme', 'x'), 'The file name has no ending', '"readme"'],
		['only a point', itemWithFile('readme.', 'x'), 'The file name has no ending', '.docx and .txt'],
		[
			'another ending',
			itemWithFile('list.xlsx', 'x'),
			'The service does not accept this type of file',
			'an Extract from File node',
		],
		[
			'a name and a MIME type of a web page',
			withFile({ fileName: 'login', fileExtension: 'html', mimeType: 'text/html' }, 'x'),
			'The file name has no ending',
			'"login"',
		],
		['no content', itemWithFile('a.pdf', ''), 'The file is empty', '"a.pdf" has no content'],
		[
			'too much content',
			itemWithFile('a.pdf', Buffer.alloc(20 * megabyte + 1)),
			'The file is too large',
			'20 MB',
		],
		['no file', { json: {}, binary: {} }, "The item has no binary field 'data' [item 1]", ''],
		[
			'an error in place of its file',
			{ json: { name: 'Lost', error: { message: '404 - <b>No such file' } } },
			'The item has no file',
			'The node before reports: 404 - &lt;b&gt;No such file',
		],
		[
			'an error text in place of its file',
			{ json: { error: 'No such file' } },
			'The item has no file',
			'The node before reports: No such file',
		],
	])('%s is refused', async (_, item, title, words) => {
		const { error } = await world.run(file, [good, item]);
		expect(error).toMatchObject({ message: title, context: { itemIndex: 1 } });
		expect(error?.description ?? '').toContain(words);
		expect(world.steps).toEqual([]);

		const { items } = await world.run(file, [good, item], goOn);
		expect(outcomes(items)).toEqual(['untrained', title]);
		expect(world.steps).toEqual(['POST sources']);
	});

	it.each([
		['a.docx', 'application/octet-stream'],
		['a.docx', 'application/msword'],
		['a.docx', ''],
		['a.pdf', 'application/json'],
		['a.txt', 'application/json'],
		['a.txt', 'text/html; charset=utf-8'],
	])('the name decides, not the MIME type: %s as %s', async (fileName, mimeType) => {
		const { hints } = await world.succeed(file, [withFile({ fileName, mimeType }, 'x')]);
		const mimetype = mediaTypes[fileName.slice(2)];
		expect(forms()).toMatchObject([{ file: { mimetype } }]);
		expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});

	it.each(['a.pdf', 'a.doc', 'a.docx'])('%s as text/html is sent with a hint', async (fileName) => {
		const page = withFile({ fileName, mimeType: 'text/html; charset=utf-8' }, '<html>');
		const { hints } = await world.succeed(file, [page]);
		expect(hints.filter(({ type }) => type === 'warning')).toMatchObject([
			{ message: expect.stringContaining(`"${fileName}" looks like a web page`), type: 'warning' },
		]);
	});

	it('two files of one name become two sources', async () => {
		const input = [itemWithFile('a.txt', 'one'), itemWithFile('b.txt', 'two', { n: 'a.txt' })];
		await world.succeed({ ...file, name: '={{ $json.n }}' }, input);
		expect(world.sources.map(({ name }) => name)).toEqual(['a.txt', 'a.txt']);
	});

	it('all that is wrong with the files of a run is told together', async () => {
		const wrong = [
			itemWithFile('a.zip', ''),
			good,
			itemWithFile('b.zip', 'x'),
			itemWithFile('c.pdf', ''),
		];
		const { error } = await world.run(file, wrong);
		expect(error?.description).toContain('type of file in 2 items (a.zip; b.zip).');
		expect(error?.description).toContain('The file is empty in 2 items (a.zip; c.pdf).');
		expect(world.steps).toEqual([]);
	});

	it('a tool is refused', async () => {
		const { records, error } = await world.testbed.callTool(
			{ sourceType: 'file', binaryPropertyName: 'data' },
			{},
		);
		expect(JSON.stringify([records, error?.message])).toContain('Files do not work as a tool');
		expect(world.testbed.sent).toEqual([]);
	});
});

describe('Seconds to Wait for Training', () => {
	it('says that a scan has no text', async () => {
		world.switchTo({ fileText: 'none' });
		const restore = skippedTime(world.testbed.service);
		const options = { waitForTraining: 60 };
		const { error } = await world.run({ ...file, options }, [itemWithFile('scan.pdf', 'x')]);
		restore();
		expect(error?.message).toBe('The training of the source failed');
		expect(error?.description).toContain('A scan has no text');
		expect(error?.description).toContain(world.sources[0].id);
	});

	it('returns the trained file', async () => {
		const restore = skippedTime(world.testbed.service);
		const options = { waitForTraining: 60 };
		const { items } = await world.run({ ...file, options }, [itemWithFile('a.pdf', 'x')]);
		restore();
		expect(items[0].json).toMatchObject({ status: 'trained' });
	});
});

describe('an unknown outcome', () => {
	let real: () => void;

	beforeEach(() => (real = skippedTime(world.testbed.service)));
	afterEach(() => real());

	it.each([{ kind: 'resetAfter' }, { kind: 'cutJson' }] as const)(
		'of a new file names it, and nothing is sent twice: %j',
		async (fault) => {
			world.testbed.service.faults.add({ when: { method: 'POST' }, fault });
			const { error } = await world.run(file, [itemWithFile('a.txt', 'one')]);
			expect(error?.description).toContain('The source "a.txt" may exist.');
			expect(world.writes).toEqual(['POST sources']);
		},
	);

	it('waits for a slow answer as long as an upload may take', async () => {
		world.testbed.service.faults.add({ when: { method: 'POST' }, fault: { kind: 'stall' } });
		const startedAt = performance.now();
		const { error } = await world.run(file, [itemWithFile('a.txt', 'one')]);
		expect(error?.description).toContain('The source "a.txt" may exist.');
		const waited = performance.now() - startedAt;
		expect(waited).toBeGreaterThanOrEqual(300_000);
		expect(waited).toBeLessThan(301_000);
	});
});

describe('Update', () => {
	const update = async (
		updateFields: INodeParameters,
		id: string,
		input: IDataObject[] | Array<ReturnType<typeof withFile>> = [{}],
	) => await world.run({ operation: 'update', chatbotId, sourceId: byId(id), updateFields }, input);
	const addFile = (status: 'trained' | 'untrained' = 'trained') =>
		world.add({ type: 'file', name: 'a.pdf', status });
	const newFile = { binaryPropertyName: 'data' };

	it('sends a new file, and keeps the name', async () => {
		const { id } = addFile();
		const { items } = succeeded(await update(newFile, id, [itemWithFile('b.txt', 'new')]));
		expect(world.steps).toEqual([`GET ${id}`, `PUT ${id}`]);
		const [, form] = forms();
		expect(form).toMatchObject({ file: { filename: 'b.txt', size: 3 } });
		expect(form).not.toHaveProperty('name');
		expect(world.testbed.illegal).toEqual([]);
		expect(items[0].json).toMatchObject({ id, name: 'a.pdf', status: 'updated', size: 3 });
	});

	it('takes an answer in data', async () => {
		world.switchTo({ fileAnswer: 'data' });
		const { id } = addFile();
		const { items } = succeeded(await update(newFile, id, [itemWithFile('b.txt', 'new')]));
		expect(items[0].json).toMatchObject({ id, status: 'updated' });
	});

	it('sends name and file together', async () => {
		const { id } = addFile();
		await update({ ...newFile, name: ' B ' }, id, [itemWithFile('b.txt', 'new')]);
		expect(forms()[1]).toMatchObject({ name: 'B', file: { filename: 'b.txt' } });
	});

	it('names the file that the service refuses', async () => {
		refuseFiles({ code: 'VALIDATION_INVALID_BODY', message: 'Invalid request' });
		const { id } = addFile();
		const { error } = await update(newFile, id, [itemWithFile('b.txt', 'new')]);
		expect(error?.description).toContain('The file is "b.txt".');
	});

	it('repeats a file whose response was lost', async () => {
		const { id } = addFile();
		const when = { method: 'PUT', times: 1 } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'resetAfter' } });
		succeeded(await update(newFile, id, [itemWithFile('b.txt', 'new')]));
		expect(forms()[2]).toEqual(forms()[1]);
	});

	it.each([
		['the file is there', 'update'],
		['the file is in the list', 'upsert'],
	])('is uploaded once, after the training of what was there: %s', async (_, operation) => {
		world.switchTo({ sourceUpdate: 'refusedInTraining', trainingPolls: 5 });
		const restore = skippedTime(world.testbed.service);
		const { id } = addFile('untrained');
		const fields = { ...file, name: 'a.pdf', sourceId: byId(id), updateFields: newFile };
		const input = [itemWithFile('b.txt', 'new')];
		await world.succeed({ operation, chatbotId, ...fields }, input);
		restore();
		expect(world.writes).toEqual([`PUT ${id}`]);
		expect(world.source('a.pdf').taught).toMatchObject({ file: { filename: 'b.txt' } });
	});

	it('is uploaded once more after a training that began meanwhile', async () => {
		world.switchTo({ sourceUpdate: 'refusedInTraining', trainingPolls: 5 });
		const restore = skippedTime(world.testbed.service);
		const { id } = addFile();
		world.testbed.meanwhile('PUT', () => (world.source('a.pdf').status = 'updated'));
		succeeded(await update(newFile, id, [itemWithFile('b.txt', 'new')]));
		restore();
		expect(world.writes).toEqual([`PUT ${id}`, `PUT ${id}`]);
	});

	it('refuses a file together with a text', async () => {
		const { id } = addFile();
		const fields = { ...newFile, content: 'x' };
		const { error } = await update(fields, id, [itemWithFile('b.txt', 'new')]);
		expect(error?.message).toBe('A file has no other content');
		expect(world.steps).toEqual([]);
	});

	it('says that a text is no file', async () => {
		const { id } = world.add({ name: 'A' });
		const { error } = await update(newFile, id, [itemWithFile('b.txt', 'new')]);
		expect(world.writes).toHaveLength(1);
		expect(error?.message).toBe('Source not found');
	});
});
