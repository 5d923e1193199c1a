/** Chatbots, their settings, their training and their images. */
import { contract, type Behaviour, type SimulatedService } from '../../service';
import { clientOf, chatbotId, serviceWithChatbot } from './client';

let service: SimulatedService;
let ask: ReturnType<typeof clientOf>;

beforeEach(async () => {
	service = await serviceWithChatbot();
	ask = clientOf(service);
});
afterEach(async () => await service.close());

const set = (behaviour: Partial<Behaviour>) => Object.assign(service.behaviour, behaviour);
const chatbot = () => service.store.chatbot(chatbotId);
/** The chatbots of the list, wherever they stand. */
const list = async () => {
	const { chatbots } = (await ask('GET', '/get-chatbots')).body;
	return chatbots.data ?? chatbots;
};
const listed = async () => (await list())[0];

describe('settings', () => {
	const update = async (settings: object) =>
		await ask('POST', '/update-chatbot-settings', { chatbotId, ...settings });

	it.each([
		[{ visibility: 'hidden' }, 'visibility'],
		[{ domains: 'example.com' }, 'domains'],
		[{ onlyAllowOnAddedDomains: 'yes' }, 'onlyAllowOnAddedDomains'],
		[{ ipLimit: 1.5 }, 'ipLimit'],
		[{ ipLimitTimeframe: '60' }, 'ipLimitTimeframe'],
		[{ model: 'gpt-4o' }, 'model'],
		[{ temp: 1.01 }, 'temp'],
		[{ temperature: 1 }, 'temperature'],
		[{ initialMessages: [1] }, 'initialMessages.0'],
		[{ styles: { theme: 'blue' } }, 'styles.theme'],
		[{ styles: { buttonColor: 'red' } }, 'styles.buttonColor'],
		[{ styles: { alignChatButton: 'middle' } }, 'styles.alignChatButton'],
		[{ styles: { autoOpenChatWindowAfter: 0.5 } }, 'styles.autoOpenChatWindowAfter'],
		[{ styles: { font: 'Arial' } }, 'styles.font'],
		[{ collectCustomerInformation: { fax: {} } }, 'collectCustomerInformation.fax'],
		[
			{ collectCustomerInformation: { name: { active: 1 } } },
			'collectCustomerInformation.name.active',
		],
		[{ name: null }, 'name'],
		[{ chatbotId: undefined }, 'chatbotId'],
	])('refuse %j', async (settings, field) => {
		set({ issues: 'everywhere' });
		const before = structuredClone(chatbot().settings);
		expect(await update(settings)).toMatchObject({ status: 400, body: { issues: [{ field }] } });
		expect(chatbot().settings).toEqual(before);
	});

	it('accept every model of their list', async () => {
		for (const model of contract.settingsModels) expect((await update({ model })).status).toBe(202);
	});

	it('accept the public list for chats when switched', async () => {
		set({ settingsModels: 'asForChat' });
		let accepted = 0;
		for (const model of contract.settingsModels) {
			if ((await update({ model })).status === 202) accepted++;
		}
		expect(accepted).toBe(25);
	});

	it('keep omitted values, also within an object, and are in the list', async () => {
		await update({ styles: { theme: 'dark', buttonColor: '#fff' }, temp: 0, domains: [] });
		await update({ styles: { theme: 'light' }, onlyAllowOnAddedDomains: false });
		expect(await listed()).toMatchObject({
			name: 'Bot',
			temp: 0,
			domains: [],
			only_allow_on_added_domains: false,
			styles: { theme: 'light', button_color: '#fff' },
		});
	});

	it('need a chatbot that exists', async () => {
		expect((await update({ chatbotId: 'x' })).status).toBe(404);
	});
});

describe('errors', () => {
	it.each([
		['contactsFamily', true, false],
		['everywhere', true, true],
		['never', false, false],
	] as const)('have issues: %s', async (issues, inContacts, elsewhere) => {
		set({ issues });
		const contacts = await ask('GET', `/chatbots/${chatbotId}/contacts?page=0`);
		const settings = await ask('POST', '/update-chatbot-settings', {});
		expect('issues' in contacts.body).toBe(inContacts);
		expect('issues' in settings.body).toBe(elsewhere);
	});

	it.each([
		['named', 'Chatbot not found', 'Contact not found', 'Custom attribute not found'],
		['Resource not found', 'Resource not found', 'Resource not found', 'Resource not found'],
	] as const)('name what is missing: %s', async (notFoundMessage, ...messages) => {
		set({ notFoundMessage });
		const answers = [
			await ask('GET', '/chatbots/other/contacts'),
			await ask('GET', `/chatbots/${chatbotId}/contacts/nobody`),
			await ask('PUT', `/chatbots/${chatbotId}/custom-attributes/none`, {}),
		];
		expect(answers.map(({ body }) => body.message)).toEqual(messages);
	});

	it('hide internal errors', async () => {
		service.store.chatbots.get(chatbotId)!.contacts = undefined as never;
		const answer = await ask('GET', `/chatbots/${chatbotId}/contacts`);
		expect(answer).toMatchObject({ status: 500, body: { message: 'Internal server error' } });
	});

	it('answer when a path cannot be decoded', async () => {
		expect((await ask('GET', '/chatbots/%E0%A4/contacts')).status).toBe(400);
	});
});

describe('a chatbot', () => {
	it('is created, found and deleted', async () => {
		const { body } = await ask('POST', '/create-chatbot', { chatbotName: 'Second' });
		expect(await list()).toHaveLength(2);
		expect((await ask('DELETE', `/delete-chatbot?chatbotId=${body.chatbotId}`)).status).toBe(200);
		expect((await ask('DELETE', `/delete-chatbot?chatbotId=${body.chatbotId}`)).status).toBe(404);
		expect(service.store.chatbots.size).toBe(1);
	});

	it.each([
		['POST', '/create-chatbot', { chatbotName: 'Ab' }],
		['POST', '/create-chatbot', { name: 'Abc' }],
		['POST', '/update-chatbot-data', { chatbotId, sourceText: 'x' }],
		['DELETE', '/delete-chatbot', undefined],
	])('%s %s refuses %j', async (method, path, body) => {
		expect((await ask(method, path, body)).status).toBe(400);
	});

	it.each([
		['replace', 'new'],
		['append', 'old\nnew'],
	] as const)('new training text: %s', async (trainingText, expected) => {
		set({ trainingText });
		for (const sourceText of ['old', 'new']) {
			await ask('POST', '/update-chatbot-data', { chatbotId, chatbotName: 'Renamed', sourceText });
		}
		await ask('POST', '/update-chatbot-data', { chatbotId, chatbotName: 'Renamed' });
		expect(chatbot().sourceText).toBe(expected);
		expect(await listed()).toMatchObject({ name: 'Renamed', num_of_characters: expected.length });
	});

	it('is in training until the clock says so', async () => {
		set({ trainingMs: 5_000, readyStatus: 'ready', failedStatus: 'failed' });
		service.clock.set('2025-01-01T00:00:00Z');
		await ask('POST', '/update-chatbot-data', { chatbotId, chatbotName: 'Bot', sourceText: 'x' });
		expect((await listed()).status).toBe('training');
		service.clock.advance(5_000);
		expect((await listed()).status).toBe('ready');
		chatbot().trainingFailed = true;
		expect((await listed()).status).toBe('failed');
	});

	it.each(['ready', 'trained'] as const)('is %s after training', async (readyStatus) => {
		set({ readyStatus });
		expect((await listed()).status).toBe(readyStatus);
	});

	it.each(['failed', 'oneFailed', 'limitExceeded'] as const)(
		'is %s when it cannot be trained',
		async (failedStatus) => {
			set({ failedStatus });
			chatbot().trainingFailed = true;
			expect((await listed()).status).toBe(failedStatus);
		},
	);

	it.each([
		['sparse', null, false],
		['reference', undefined, true],
	] as const)('has the fields of the record: %s', async (chatbotRecord, styles, isDated) => {
		set({ chatbotRecord });
		const record = await listed();
		expect(record.styles).toBe(styles);
		expect('updated_at' in record).toBe(isDated);
		expect('index_name' in record).toBe(!isDated);
	});

	it('is in the envelope that clients read', async () => {
		set({ chatbotListShape: 'chatbots.data' });
		const { body } = await ask('GET', '/get-chatbots');
		expect(body.chatbots).toMatchObject({ data: [{ id: chatbotId }], error: null });
	});

	it('is found by its number', async () => {
		set({ chatbotId: 'number' });
		const { id } = await listed();
		expect(typeof id).toBe('number');
		expect((await ask('GET', `/chatbots/${id}/contacts`)).status).toBe(200);
		const messages = [{ role: 'user', content: 'Hi' }];
		expect((await ask('POST', '/chat', { chatbotId: String(id), messages })).status).toBe(200);
		set({ chatbotId: 'string' });
		expect((await ask('GET', `/chatbots/${id}/contacts`)).status).toBe(404);
	});

	it.each([
		['Chatbot name is required', 'Chatbot name is required'],
		['Invalid input parameters', expect.stringContaining('chatbotName')],
	] as const)('refuses text without a name: %s', async (missingNameMessage, message) => {
		set({ missingNameMessage });
		const answer = await ask('POST', '/update-chatbot-data', { chatbotId, sourceText: 'x' });
		expect(answer).toMatchObject({ status: 400, body: { message } });
	});
});

describe.each([
	['icon', '/upload-chatbot-icon', '/delete-chatbot-icon', 'chatbotIconFile'],
	[
		'profilePicture',
		'/upload-chatbot-profile-picture',
		'/delete-chatbot-profile-picture',
		'profilePictureFile',
	],
] as const)('the %s', (image, upload, remove, part) => {
	function form(bytes: number, { id = chatbotId, name = part as string } = {}): FormData {
		const data = new FormData();
		data.set('chatbotId', id);
		data.set(name, new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'image.png');
		return data;
	}

	it('is uploaded and deleted', async () => {
		expect((await ask('POST', upload, form(3))).status).toBe(200);
		expect(chatbot()[image]).toEqual({ filename: 'image.png', mimetype: 'image/png', size: 3 });
		expect(service.requests.at(-1)?.body).toEqual({ chatbotId, [part]: chatbot()[image] });
		expect((await ask('DELETE', `${remove}?chatbotId=${chatbotId}`)).status).toBe(200);
		expect(chatbot()[image]).toBeNull();
	});

	it('is refused when it is too large, empty, misnamed, missing or without a chatbot', async () => {
		const status = async (body: unknown) => (await ask('POST', upload, body)).status;
		expect(await status(form(1024 * 1024))).toBe(400);
		expect(await status(form(0))).toBe(400);
		expect(await status(form(3, { name: 'file' }))).toBe(400);
		expect(await status({ chatbotId })).toBe(400);
		expect(await status(form(3, { id: 'x' }))).toBe(404);
		expect((await ask('DELETE', remove)).status).toBe(400);
	});
});
