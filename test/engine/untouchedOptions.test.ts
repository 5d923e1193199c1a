/** An option that was added and not filled in changes nothing (promise 30). */
import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';

import { Chatbase } from '../../nodes/Chatbase/Chatbase.node';
import { addChatbots, itemFor, mirrors, operations } from './operations';
import { byId, useTestbed } from './testbed';

const testbed = useTestbed();

const chatbotId = byId('={{ $json.bot }}');

const runs: Record<string, INodeParameters> = {
	...Object.fromEntries(
		Object.entries({ ...operations, ...mirrors }).map(([name, { parameters }]) => [
			name,
			parameters,
		]),
	),
	'chat send': {
		chatbotId,
		message: 'Hello',
		history: { turns: [{ role: 'user', content: 'Earlier' }] },
	},
	'source create ': {
		chatbotId,
		sourceType: 'link',
		linkType: 'crawl',
		url: 'https://example.com/docs',
	},
};

const { properties } = new Chatbase().description;

function optionsOf(parameters: INodeParameters): INodeProperties[] {
	const shown = (field: INodeProperties) =>
		NodeHelpers.displayParameter(parameters, field, null, null);
	const collection = properties.find((field) => field.name === 'options' && shown(field));
	return (collection?.options ?? []) as INodeProperties[];
}

const cases = Object.entries(runs).flatMap(([name, parameters]) => {
	const [resource, operation] = name.split(' ');
	const all: INodeParameters = { sourceType: 'text', ...parameters, resource, operation };
	return optionsOf(all).map((option) => [name, option.displayName, option, all] as const);
});

const isLocator = (value: unknown): value is object =>
	typeof value === 'object' && value !== null && 'mode' in value;

/**
 * What n8n 2.41 stores for an option that was added, as its editor was seen to do: the default. A locator becomes one with
 * `__rl` when its mode is changed, also if it is changed back.
 */
const stored = (value: unknown): unknown[] =>
	isLocator(value) ? [value, { __rl: true, ...value }] : [value];

/** Toggles, which mean "on" when they are added, and what acts with the time that it shows. */
const acts = (option: INodeProperties) =>
	option.type === 'boolean' || option.name === 'waitForTraining';

const changing = /\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{8}-[0-9a-f-]{27}|\b1\d{9}\b|\b[\w-]{21}\b/g;

async function outcomeOf(parameters: INodeParameters) {
	testbed.reset();
	addChatbots(testbed.service, ['bot-1']);
	const { items, error } = await testbed.run(parameters, { input: [itemFor('bot-1')] });
	const outcome = {
		error: error?.message ?? '',
		items: items.map(({ json }) => json),
		sent: testbed.sent,
	};
	return JSON.parse(JSON.stringify(outcome).replace(changing, '0')) as object;
}

it('reads the options of every operation', () => {
	const described = properties.filter(({ name }) => name === 'options');
	const covered = cases.map(([, , option]) => option);
	const missed = described.flatMap(({ options = [] }) =>
		options.filter((option) => !covered.includes(option as INodeProperties)),
	);
	expect(missed).toEqual([]);
});

it.each(cases.filter(([, , option]) => !acts(option)))(
	'%s: %s changes nothing',
	async (_, __, { name, default: value }, parameters) => {
		const plain = await outcomeOf(parameters);
		expect(plain).toMatchObject({ error: '' });
		for (const added of stored(value)) {
			const options = { [name]: added } as INodeParameters;
			expect(await outcomeOf({ ...parameters, options })).toEqual(plain);
		}
	},
);

it.each(cases.filter(([, , { type }]) => type === 'boolean'))('%s: %s is on', (_, __, option) => {
	expect(option.default).toBe(true);
});

it('ticket create: Team that was added and not touched is not sent', async () => {
	const all = { ...runs['ticket create'], resource: 'ticket', operation: 'create' };
	const plain = await outcomeOf(all);
	for (const team of stored({ mode: 'list', value: '' })) {
		const additionalFields = { team } as INodeParameters;
		expect(await outcomeOf({ ...all, additionalFields })).toEqual(plain);
	}
});
