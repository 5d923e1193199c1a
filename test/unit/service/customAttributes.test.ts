/** Custom attributes: the contract's rule for names, and the switches for the guides' stricter one. */
import type { Behaviour, SimulatedService } from '../../service';
import { clientOf, chatbotId, serviceWithChatbot } from './client';

const path = `/chatbots/${chatbotId}/custom-attributes`;
let service: SimulatedService;
let ask: ReturnType<typeof clientOf>;

beforeEach(async () => {
	service = await serviceWithChatbot();
	ask = clientOf(service);
});
afterEach(async () => await service.close());

const set = (behaviour: Partial<Behaviour>) => Object.assign(service.behaviour, behaviour);

describe('creating', () => {
	it.each([
		[{ name: '1st', type: 'text' }, 'name'],
		[{ name: 'a b', type: 'text' }, 'name'],
		[{ name: 'é', type: 'text' }, 'name'],
		[{ name: 'a\n', type: 'text' }, 'name'],
		[{ name: '', type: 'text' }, 'name'],
		[{ type: 'text' }, 'name'],
		[{ name: 'a' }, 'type'],
		[{ name: 'a', type: 'list' }, 'type'],
		[{ name: 'a', type: 'text', archived: 'no' }, 'archived'],
		[{ name: 'a', type: 'text', colour: 'red' }, 'colour'],
	])('refuses %j', async (body, field) => {
		expect(await ask('POST', path, body)).toMatchObject({
			status: 400,
			body: { issues: [{ field }] },
		});
	});

	it('returns the stored attribute, not archived by default', async () => {
		const { body } = await ask('POST', path, {
			name: 'Shoe-Size_2',
			type: 'number',
			label: 'Size',
		});
		expect(body.data).toEqual({
			name: 'Shoe-Size_2',
			type: 'number',
			label: 'Size',
			description: null,
			archived: false,
		});
		expect((await ask('GET', path)).body.data).toEqual([body.data]);
	});

	it.each([400, 409] as const)('refuses a name that exists with %d', async (duplicateAttribute) => {
		set({ duplicateAttribute });
		service.store.addAttribute(chatbotId, { name: 'a', type: 'text' });
		expect((await ask('POST', path, { name: 'a', type: 'date' })).status).toBe(duplicateAttribute);
		expect(service.store.chatbot(chatbotId).attributes.get('a')?.type).toBe('text');
	});

	it('follows the guides when switched', async () => {
		set({
			attributeNameRule: 'lowercase',
			attributeLabel: 'required',
			reservedAttributeNames: ['email'],
		});
		const post = async (name: string, label?: string) =>
			(await ask('POST', path, { name, type: 'text', label })).status;
		expect(await post('Shoe', 'Shoe')).toBe(400);
		expect(await post('shoe-size', 'Shoe')).toBe(400);
		expect(await post('shoe')).toBe(400);
		expect(await post('email', 'E-mail')).toBe(400);
		expect(await post('shoe_2', 'Shoe')).toBe(200);
	});
});

describe('updating', () => {
	beforeEach(() => {
		service.store.addAttribute(chatbotId, { name: 'a', type: 'text', label: 'A', archived: true });
	});

	it.each([
		['unarchives', false],
		['keeps', true],
	] as const)('without archived: %s', async (putWithoutArchived, archived) => {
		set({ putWithoutArchived });
		const { body } = await ask('PUT', `${path}/a`, { description: 'New' });
		expect(body.data).toMatchObject({ label: 'A', description: 'New', archived });
	});

	it.each([{ type: 'number' }, { name: 'b' }, { archived: null }])('refuses %j', async (body) => {
		expect((await ask('PUT', `${path}/a`, body)).status).toBe(400);
		expect(service.store.chatbot(chatbotId).attributes.get('a')?.archived).toBe(true);
	});

	it('refuses PATCH and DELETE', async () => {
		expect((await ask('PATCH', `${path}/a`, {})).status).toBe(404);
		expect((await ask('DELETE', `${path}/a`)).status).toBe(404);
	});

	it('says if the chatbot or the attribute is missing', async () => {
		expect((await ask('PUT', `${path}/b`, {})).body.message).toBe('Custom attribute not found');
		expect((await ask('PUT', '/chatbots/x/custom-attributes/a', {})).body.message).toBe(
			'Chatbot not found',
		);
	});
});
