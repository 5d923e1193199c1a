import { NodeHelpers, type INode, type INodeParameters, type INodeProperties } from 'n8n-workflow';

import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';
import { optionsField } from '../../../nodes/Chatbase/fields/collections';
import { mergeOptions } from '../../../nodes/Chatbase/fields/mergeOptions';

const option = (name: string, displayName: string): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	default: 1,
});

/** The options that the panel offers for an operation, by their labels. */
function offered([{ options }]: INodeProperties[], parameters: INodeParameters): string[] {
	const node = { typeVersion: 1 } as INode;
	const { description } = new Chatbase();
	return (options as INodeProperties[])
		.filter((one) => NodeHelpers.displayParameter({}, one, node, description, parameters))
		.map(({ displayName }) => displayName);
}

const merged = mergeOptions([
	optionsField({ resource: ['a'], operation: ['get', 'list'] }, [option('size', 'Size of A')]),
	optionsField({ resource: ['b'], operation: ['list'] }, [
		option('size', 'Size of B'),
		option('from', 'From'),
	]),
]);

it('makes one field, which is shown wherever one of them was', () => {
	expect(merged).toMatchObject([
		{ displayName: 'Options', displayOptions: { show: { resource: ['a', 'b'] } } },
	]);
	expect(merged[0].displayOptions?.show?.operation).toEqual(['get', 'list']);
});

it.each([
	[{ resource: 'a', operation: 'get' }, ['Size of A']],
	[{ resource: 'a', operation: 'list' }, ['Size of A']],
	[{ resource: 'b', operation: 'list' }, ['From', 'Size of B']],
	[{ resource: 'b', operation: 'get' }, []],
])('offers each operation its own options only, sorted: %j', (parameters, labels) => {
	expect(offered(merged, parameters)).toEqual(labels);
});

it('comes last, and leaves the other fields as they are', () => {
	const [first, second] = [option('first', 'First'), option('second', 'Second')];
	expect(mergeOptions([first, merged[0], second]).slice(0, 2)).toEqual([first, second]);
});

it('leaves no operation of the node with an empty field', () => {
	const { properties } = new Chatbase().description;
	const fields = properties.filter(({ name }) => name === 'options');
	expect(fields).toHaveLength(1);
	const { resource: resources = [] } = fields[0].displayOptions?.show ?? {};
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			(displayOptions?.show?.resource ?? []).flatMap((resource) =>
				options.map((one) => ({ resource, operation: 'value' in one ? one.value : '' })),
			),
		)
		.filter(({ resource }) => resources.includes(resource));
	expect(operations.length).toBeGreaterThan(10);
	for (const operation of operations) {
		expect(offered(fields, operation as INodeParameters)).toContain('Max Concurrency');
	}
});
