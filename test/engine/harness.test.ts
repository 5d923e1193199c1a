/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import type { Engine } from './harness';
import { createEngine } from './harness';
import { writeFixturePackage } from './harness/fixture-package';
import { FixtureService } from './harness/fixture-service';

const service = new FixtureService();
const fixture = writeFixturePackage();
let baseUrl: string;
let engine: Engine;

beforeAll(async () => {
	baseUrl = await service.start();
	const credentials = { fixtureApi: { apiKey: 'key', baseUrl } };
	engine = await createEngine({ packageFolder: fixture.folder, credentials });
});

beforeEach(() => service.forget());

afterAll(async () => {
	await service.stop();
	engine.close();
	fixture.remove();
});

const thing = { __rl: true, mode: 'id', value: '={{ $json.id }}' };

describe('run', () => {
	it('runs a declarative node with expressions and the credential of the user', async () => {
		const { outputs, tries, error } = await engine.run({
			parameters: { thing },
			input: [{ id: 'one' }],
		});
		expect(error).toBeUndefined();
		expect(outputs).toEqual([[{ json: { path: '/thing/one' }, pairedItem: { item: 0 } }]]);
		expect(tries).toBe(1);
		expect(service.received[0].authorization).toBe('Bearer key');
	});

	it('keeps the pairing that the node sets', async () => {
		const { items } = await engine.run({
			parameters: { operation: 'list' },
			input: [{}, {}],
		});
		expect(items.map(({ json, pairedItem }) => [json.thing, pairedItem])).toEqual([
			['a', { item: 0 }],
			['b', { item: 0 }],
			['a', { item: 1 }],
			['b', { item: 1 }],
		]);
	});

	it('stops at an error that the node throws', async () => {
		const { error, items } = await engine.run({
			parameters: { thing },
			input: [{ id: 'one' }, { id: 'missing' }],
		});
		expect(error).toMatchObject({
			name: 'NodeApiError',
			httpCode: '404',
			description: 'Not there',
			context: { itemIndex: 1 },
		});
		expect(items).toEqual([]);
	});

	it('refuses a node without a required parameter, as n8n does', async () => {
		const { error, run } = await engine.run({ parameters: { needed: '' } });
		expect(error?.name).toBe('WorkflowHasIssuesError');
		expect(run).toBeUndefined();
		expect(service.received).toEqual([]);
	});
});
