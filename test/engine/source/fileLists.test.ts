/** Files in Create or Update and Mirror: sent when they are new or changed, deleted only if the panel says so. */
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { BehaviourV2 } from '../../../service';
import { skippedTime } from '../fastTime';
import { storeFile } from '../harness';
import { goOn, itemWithFile, outcomes, useWorld } from './world';
import { succeeded } from '../testbed';

const world = useWorld('upsert');

const file = { sourceType: 'file' };
const docs = () => [
	itemWithFile('Docs a.txt', 'one'),
	itemWithFile('Docs b.pdf', 'two'),
	itemWithFile('Docs c.docx', 'three'),
];
const both = {
	sourceType: '={{ $json.type ?? "file" }}',
	name: '={{ $json.name }}',
	content: '={{ $json.content }}',
};
const text = (name: string, content = 'x'): INodeExecutionData => ({
	json: { type: 'text', name, content },
});
const uploads = () =>
	world.testbed.service.requests.filter(({ headers }) =>
		/^multipart/.test(headers['content-type'] ?? ''),
	).length;

describe('Create or Update', () => {
	it.each<Partial<BehaviourV2>>([
		{},
		{ fileAnswer: 'data' },
		{ trainingPolls: 3 },
		{ training: 'never' },
		{ sourceNames: 'NFD' },
		{ total: 'absent' },
	])('uploads no unchanged file, and sends one list when the service has %j', async (behaviour) => {
		world.switchTo(behaviour);
		const first = await world.run(file, docs());
		expect(first.error).toBeUndefined();
		expect(outcomes(first.items)).toEqual(['created', 'created', 'created']);
		for (let night = 2; night < 5; night++) {
			const { items } = await world.run(file, docs());
			expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'unchanged']);
			expect(world.steps).toEqual(['GET sources']);
		}
	});

	it('uploads one changed file, of the same length too', async () => {
		await world.run(file, docs());
		world.sources.forEach((source) => (source.status = 'trained'));
		const changed = [...docs().slice(0, 2), itemWithFile('Docs c.docx', 'THREE')];
		const { items } = await world.run(file, changed);
		expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'updated']);
		expect(items[2].json._sync).toEqual({ action: 'updated' });
		expect(world.steps).toEqual(['GET sources', `PUT ${world.source('Docs c.docx').id}`]);
		expect(world.testbed.illegal).toEqual([]);
	});

	it('uploads a long file again that has changed after its first part only', async () => {
		const bytes = Buffer.alloc(300_000, 'Text of a handbook. ');
		const stored = async () => {
			const data = await storeFile('a.txt', 'text/plain', bytes);
			return [{ json: {}, binary: { data } }];
		};
		await world.succeed(file, await stored());
		bytes.write('X', bytes.length - 1);
		const { items } = await world.succeed(file, await stored());
		expect(outcomes(items)).toEqual(['updated']);
	});

	it('keeps a file and a text of one name apart', async () => {
		const input = [text('A'), itemWithFile('a.txt', 'one', { name: 'A' })];
		const { items } = await world.succeed(both, input);
		expect(outcomes(items)).toEqual(['created', 'created']);
		expect(world.sources.map(({ type, name }) => [type, name]).sort()).toEqual([
			['file', 'A'],
			['text', 'A'],
		]);
		expect(outcomes((await world.run(both, input)).items)).toEqual(['unchanged', 'unchanged']);
	});

	it.each([
		['two files of one name', itemWithFile('Docs a.txt', 'other'), 'tells them apart'],
		[
			'two files with one name in the panel',
			itemWithFile('b.txt', 'other', { name: 'Docs a.txt' }),
			': 2 items have the Name "Docs a.txt".',
		],
	])('refuses %s before any request', async (_, other, words) => {
		const { error } = await world.run({ ...file, name: '={{ $json.name }}' }, [...docs(), other]);
		expect(error?.message).toBe('Several items want different values for one source');
		expect(error?.description).toContain(words);
		expect(error?.description).not.toContain('Remove Duplicates');
		expect(world.steps).toEqual([]);

		const { items } = await world.run(
			{ ...file, name: '={{ $json.name }}' },
			[...docs(), other],
			goOn,
		);
		const title = 'Several items want different values for one source';
		expect(outcomes(items)).toEqual([title, 'created', 'created', title]);
	});

	it('says what to do when one Name was typed for all files', async () => {
		const { error } = await world.run({ ...file, name: 'Dokumente' }, docs());
		expect(error?.description).toContain(
			'All 3 items have the Name "Dokumente". Drag the file name into it.',
		);
		expect(world.steps).toEqual([]);
	});

	it('uploads equal files of one name once', async () => {
		const { items } = await world.run(file, [...docs(), ...docs()]);
		expect(outcomes(items)).toEqual(Array.from({ length: 6 }, () => 'created'));
		expect(uploads()).toBe(3);
	});

	it('uploads a file again that was deleted or whose training failed', async () => {
		await world.run(file, docs());
		Object.assign(world.source('Docs a.txt'), { isGone: true });
		Object.assign(world.source('Docs b.pdf'), { status: 'failed' });
		const { items } = await world.run(file, docs());
		expect(outcomes(items)).toEqual(['created', 'updated', 'unchanged']);
	});

	it('uploads nothing in a dry run', async () => {
		await world.run(file, docs().slice(0, 1));
		const { items } = await world.run({ ...file, options: { dryRun: true } }, [
			docs()[0],
			itemWithFile('new.txt', 'x'),
		]);
		expect(outcomes(items)).toEqual(['unchanged', 'wouldCreate']);
		expect(world.steps).toEqual(['GET sources']);
	});

	it('fails a file whose answer was lost, and finds it by its name in the next run', async () => {
		const when = { method: 'POST', times: 1 } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'resetAfter' } });
		const { items } = await world.run(file, docs(), goOn);
		expect(items[0].json.error).toContain('The source "Docs a.txt" may exist.');
		expect(outcomes(items).slice(1)).toEqual(['created', 'created']);
		const { items: again } = await world.succeed(file, docs());
		expect(outcomes(again)).toEqual(['updated', 'unchanged', 'unchanged']);
		expect(world.sources).toHaveLength(3);
	});

	it('remembers what was uploaded before a failure ended the run', async () => {
		const when = { method: 'POST', nth: 3 } as const;
		world.testbed.service.faults.add({ when, fault: { kind: 'status', status: 413 } });
		const { error } = await world.run(file, docs());
		expect(error?.description).toContain('Done: items 0, 1.');
		world.testbed.service.faults.clear();
		const { items } = await world.run(file, docs());
		expect(outcomes(items)).toEqual(['unchanged', 'unchanged', 'created']);
	});

	it('fails the file alone that has no text, while it waits for the training', async () => {
		world.switchTo({ fileText: 'none' });
		const restore = skippedTime(world.testbed.service);
		const options = { waitForTraining: 60 };
		const { items } = await world.run(
			{ ...both, options },
			[itemWithFile('scan.pdf', 'x'), text('A')],
			goOn,
		);
		restore();
		expect(outcomes(items)).toEqual(['The training of the source failed', 'created']);
		expect(items[0].json.error).toContain('A scan has no text');
	});
});

describe('Mirror', () => {
	const mirror = async (
		more: INodeParameters,
		input: INodeExecutionData[] = docs(),
		options = {},
	) =>
		await world.run(
			{ operation: 'mirror', ...file, namePrefix: 'Docs', onMissing: 'delete', ...more },
			input,
			options,
		);
	const withFiles = { manageTypes: ['text', 'qna', 'file'] };
	const names = () => world.sources.map(({ name }) => name).sort();

	beforeEach(() => {
		world.add({ type: 'file', name: 'Docs a.txt' });
		world.add({ type: 'file', name: 'Docs old.pdf' });
		world.add({ type: 'file', name: 'Other.pdf' });
	});

	it('deletes no file if it manages other types', async () => {
		const { items } = succeeded(await mirror({ manageTypes: ['text', 'qna'] }));
		expect(outcomes(items)).toEqual(['updated', 'created', 'created']);
		expect(names()).toContain('Docs old.pdf');
	});

	it('manages the types of its items, and says which others have the prefix', async () => {
		for (const name of ['Docs 1', 'Docs 2', 'Docs 3']) world.add({ type: 'qna', name });
		world.add({ name: 'Docs 4' });
		const { items, hints } = succeeded(await mirror({ onMissing: 'report' }));
		expect(outcomes(items)).toEqual(['updated', 'created', 'created', 'missing']);
		expect(hints.map(({ message }) => message)).toEqual(
			expect.arrayContaining([
				'3 Q&amp;A sources are not managed, because the input has none.',
				'1 text source is not managed, because the input has none.',
			]),
		);
	});

	it('says nothing of other types if its types were chosen', async () => {
		world.add({ type: 'qna', name: 'Docs 1' });
		const chosen = { manageTypes: ['file'], onMissing: 'report' };
		const { hints } = succeeded(await mirror(chosen));
		expect(hints.map(({ message }) => message).join(' ')).not.toContain('not managed');
	});

	it('says first what a dry run would do, then what it does not manage', async () => {
		world.add({ name: 'Docs 4' });
		const { hints } = succeeded(await mirror({ onMissing: 'report', dryRun: true }));
		const [first, second] = hints.map(({ message }) => message);
		expect(first).toMatch(/^Nothing was written/);
		expect(second).toBe('1 text source is not managed, because the input has none.');
	});

	it('manages the type of an item that was refused', async () => {
		world.add({ name: 'Docs 4' });
		const { items } = await mirror(
			{ ...both, onMissing: 'report' },
			[...docs(), text('x', '')],
			goOn,
		);
		expect(outcomes(items).slice(3)).toEqual(['Content is empty', 'missing', 'missing']);
	});

	it('deletes missing files if it manages them, with the prefix', async () => {
		const { items } = succeeded(await mirror({ ...withFiles, options: { maxMissing: 1 } }));
		expect(outcomes(items)).toEqual(['updated', 'created', 'created', 'deleted']);
		expect(items[3].json).toMatchObject({ type: 'file', name: 'Docs old.pdf' });
		expect(names()).toEqual(['Docs a.txt', 'Docs b.pdf', 'Docs c.docx', 'Other.pdf']);
	});

	it('deletes only the types that it manages', async () => {
		world.add({ name: 'Docs old text' });
		await mirror({ manageTypes: ['file'], options: { maxMissing: 1 } });
		expect(names()).toContain('Docs old text');
		expect(names()).not.toContain('Docs old.pdf');
	});

	it('adds the prefix to the name of a file, too', async () => {
		await mirror({}, [...docs(), itemWithFile('Report.pdf', 'x')]);
		expect(names()).toContain('DocsReport.pdf');
	});

	it.each([[['link']], ['x']])('refuses %j as Source Types to Manage', async (manageTypes) => {
		const { error } = await mirror({ manageTypes });
		expect(error?.message).toBe('Source Types to Manage is not a list of text, qna and file');
		expect(world.steps).toEqual([]);
	});
});
