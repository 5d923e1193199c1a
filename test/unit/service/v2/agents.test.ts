/** What the service does when a client clones or renames an agent. */
import { clonedAgent } from '../../../service/v2/contract';
import { agent, errorOf, start } from './client';

let v2: Awaited<ReturnType<typeof start>>;

beforeAll(async () => {
	v2 = await start();
});
beforeEach(() => v2.reset());
afterAll(async () => await v2.service.close());

const clone = async () => await v2.ask('POST', `${agent}/clone`);

it('copies an agent with all sources except those of Notion', async () => {
	v2.service.store.addSource('bot', { name: 'Returns' });
	v2.service.store.addSource('bot', { name: 'Wiki', type: 'notionPage' });
	const { status, body } = await clone();
	expect([status, Object.keys(body)]).toEqual([201, ['id']]);
	expect(clonedAgent.parse(body)).toEqual(body);
	const { agent: copy, settings } = v2.service.store.chatbot(String(body.id));
	expect(copy.sources.map(({ name, status }) => [name, status])).toEqual([
		['Returns', 'untrained'],
	]);
	expect(settings).toEqual(v2.service.store.chatbot('bot').settings);
});

it('can leave out steps, and can be at the limit of the plan', async () => {
	v2.set({ clonePendingSteps: ['TRAIN_AGENT'] });
	expect((await clone()).body.pendingSteps).toEqual(['TRAIN_AGENT']);
	v2.set({ agentLimit: v2.service.store.chatbots.size });
	expect(errorOf(await clone())).toEqual([403, 'AGENT_LIMIT_REACHED']);
});

it('renames an agent', async () => {
	const { status, body } = await v2.ask('PUT', agent, { name: 'Acme' });
	expect([status, body.name]).toEqual([200, 'Acme']);
});
