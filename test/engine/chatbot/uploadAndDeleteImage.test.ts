import { titleOf } from '../../errorTexts';
import type { NodeSettings } from '../harness';
import { byId, succeeded, useTestbed } from '../testbed';
import { itemWith, png } from './images';

const testbed = useTestbed({ resource: 'chatbot' });

beforeEach(() => void testbed.service.store.addChatbot({ id: 'other' }));

const chatbotId = byId('bot');
const megabyte = 1024 * 1024;

describe.each([
	['uploadIcon', '/upload-chatbot-icon', 'chatbotIconFile', 'icon'],
	[
		'uploadProfilePicture',
		'/upload-chatbot-profile-picture',
		'profilePictureFile',
		'profilePicture',
	],
] as const)('%s', (operation, path, part, stored) => {
	const run = async (
		input: Array<ReturnType<typeof itemWith>>,
		parameters = {},
		nodeSettings: NodeSettings = {},
	) => await testbed.run({ operation, chatbotId, ...parameters }, { input, nodeSettings });

	it('sends the file as a form', async () => {
		const { items } = succeeded(await run([itemWith(png(512, 512, 5000), {}, 'näme.png')]));
		const file = { filename: 'näme.png', mimetype: 'image/png', size: 5000 };
		expect(testbed.sent).toEqual([[`POST ${path}`, { chatbotId: 'bot', [part]: file }]]);
		expect(testbed.illegal).toEqual([]);
		expect(testbed.service.requests[0].headers['content-type']).toMatch(/^multipart\/form-data; /);
		expect(testbed.service.store.chatbot('bot')[stored]).toMatchObject({ size: 5000 });
		expect(items).toEqual([
			{
				json: { message: expect.stringMatching(/uploaded/) as unknown, chatbotId: 'bot' },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('sends a file without a name, and unknown image formats', async () => {
		await run([itemWith(Buffer.from('anything'))]);
		expect(testbed.service.requests[0].body).toMatchObject({
			[part]: { filename: 'image', size: 8 },
		});
	});

	it('evaluates each parameter for each item', async () => {
		const { items } = await run(
			[
				itemWith(png(1, 1), { bot: 'bot', field: 'data' }),
				itemWith(png(2, 2), { bot: 'other', field: 'data' }),
			],
			{ chatbotId: byId('={{ $json.bot }}'), binaryPropertyName: '={{ $json.field }}' },
		);
		expect(items.map(({ json, pairedItem }) => [json.chatbotId, pairedItem])).toEqual([
			['bot', { item: 0 }],
			['other', { item: 1 }],
		]);
	});

	it('sends the whole form again when the first outcome is unknown', async () => {
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'resetAfter' } });
		succeeded(await run([itemWith(png(512, 512, 5000))]));
		expect(testbed.sent).toHaveLength(2);
		expect(testbed.sent[1]).toEqual(testbed.sent[0]);
		expect(testbed.illegal).toEqual([]);
	});

	it.each([
		['a large image', itemWith(png(512, 512, megabyte)), 'The image is too large', '1,024 kB'],
		['an empty image', itemWith(Buffer.alloc(0)), 'The image is empty', 'no content'],
		[
			'another file',
			itemWith(png(9, 9), {}, 'a.txt', 'text/plain'),
			'The file is not an image',
			'text/plain',
		],
	])('refuses %s before any request', async (_, item, message, words) => {
		const { error } = await run([itemWith(png(9, 9)), item]);
		expect(error).toMatchObject({ message, context: { itemIndex: 1 } });
		expect(error?.description).toContain(words);
		expect(testbed.sent).toEqual([]);
	});

	it.each([
		['no MIME type', {}],
		['null as its MIME type', { mimeType: null, fileName: null }],
	])('refuses a file with %s in words', async (_, stated) => {
		const data = { data: png(9, 9).toString('base64'), ...stated };
		const item: unknown = { json: {}, binary: { data } };
		const input = [item as ReturnType<typeof itemWith>];
		const { error } = await run(input);
		expect(error?.message).toBe('The file is not an image');
		expect(error?.description).toContain('no MIME type');
		expect(testbed.sent).toEqual([]);
	});

	it('accepts the largest image', async () => {
		succeeded(await run([itemWith(png(512, 512, megabyte - 1))]));
	});

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)('fails one item alone when On Error is %s', async (onError, output) => {
		const { outputs } = await run(
			[itemWith(png(1, 1)), itemWith(Buffer.alloc(0), { row: 2 }), itemWith(png(3, 3))],
			{},
			{ onError },
		);
		const failed = outputs[output].find(({ json }) => json.error);
		expect(failed?.json).toMatchObject({ row: 2 });
		expect(failed?.pairedItem).toEqual({ item: 1 });
		expect(outputs[0].filter(({ json }) => json.chatbotId)).toHaveLength(2);
		expect(testbed.sent).toHaveLength(2);
	});

	it('ends with the picture of the last item', async () => {
		testbed.service.faults.add({ when: { nth: 1 }, fault: { kind: 'delay', ms: 200 } });
		await run([itemWith(png(9, 9, 100)), itemWith(png(9, 9, 200))]);
		expect(testbed.service.store.chatbot('bot')[stored]).toMatchObject({ size: 200 });
	});

	it.each([{}, { error: 'Locked' }])('fails when the service responds with %j', async (body) => {
		testbed.service.faults.add({ fault: { kind: 'otherShape', body } });
		const { items, error } = await run([itemWith(png(9, 9))]);
		expect(items).toEqual([]);
		expect(error?.message).toBe(titleOf('unexpectedResponse'));
	});

	it('names the field that has no file', async () => {
		const { error } = await run([itemWith(png(1, 1))], { binaryPropertyName: 'picture' });
		expect(error?.message).toContain('picture');
		expect(testbed.sent).toEqual([]);
	});
});

describe.each([
	['deleteIcon', '/delete-chatbot-icon', 'icon'],
	['deleteProfilePicture', '/delete-chatbot-profile-picture', 'profilePicture'],
] as const)('%s', (operation, path, stored) => {
	it('deletes the image', async () => {
		const chatbot = testbed.service.store.chatbot('bot');
		chatbot[stored] = { filename: 'a.png', size: 1 };
		const { items } = await testbed.succeed({ operation, chatbotId });
		expect(testbed.sent).toEqual([[`DELETE ${path}?chatbotId=bot`]]);
		expect(items).toEqual([{ json: { deleted: true }, pairedItem: { item: 0 } }]);
		expect(chatbot[stored]).toBeNull();
	});
});
