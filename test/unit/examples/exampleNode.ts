/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** Runs the expressions and the code of examples, exactly as they stand in their files. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runInNewContext } from 'node:vm';

import {
	Expression,
	type IDataObject,
	type INodeParameters,
	type IWorkflowDataProxyData,
} from 'n8n-workflow';

const folder = resolve(__dirname, '../../../examples');

interface ExampleNode {
	name: string;
	parameters: INodeParameters;
}

/** The parameters of a node of an example. */
export function parametersOf(file: string, nodeName: string): INodeParameters {
	const text = readFileSync(resolve(folder, `${file}.json`), 'utf8');
	const { nodes } = JSON.parse(text) as { nodes: ExampleNode[] };
	return nodes.find(({ name }) => name === nodeName)!.parameters;
}

/** What an expression or a code can read. */
interface Data {
	json?: IDataObject;
	/** All items of the input. */
	input?: IDataObject[];
	/** The items of other nodes, by their names. The first one is that of the present item. */
	nodes?: Record<string, IDataObject[]>;
}

function globalsFor({ json = {}, input = [json], nodes = {} }: Data) {
	const itemsOf = (list: IDataObject[]) => {
		const items = list.map((each) => ({ json: each }));
		return { all: () => items, first: () => items[0], item: items[0] };
	};
	const $ = (name: string) => itemsOf(nodes[name]!);
	const $now: unknown = new Expression('UTC').resolveSimpleParameterValue(
		'={{ DateTime.now() }}',
		{} as IWorkflowDataProxyData,
	);
	return { $json: json, $input: itemsOf(input), $, $now };
}

/** The value of an expression in n8n's own engine. */
export function evaluate(expression: unknown, data: Data): unknown {
	const proxy = globalsFor(data) as unknown as IWorkflowDataProxyData;
	return new Expression('UTC').resolveSimpleParameterValue(expression as string, proxy);
}

/** What a Code node returns, in a context of its own, as in n8n's task runner. */
export async function runCode(code: unknown, data: Data): Promise<unknown> {
	const returned = (await runInNewContext(
		`(async () => {${String(code)}\n})()`,
		globalsFor(data),
	)) as unknown;
	// Objects of another context equal none of this one.
	return JSON.parse(JSON.stringify(returned)) as unknown;
}

/** The value of an assignment of an Edit Fields node. */
export function assignmentOf({ assignments }: INodeParameters, fieldName: string): unknown {
	const list = (assignments as { assignments: Array<{ name: string; value: unknown }> })
		.assignments;
	return list.find(({ name }) => name === fieldName)!.value;
}

interface Condition {
	leftValue: unknown;
	rightValue: string;
}

/** The expressions of the conditions of an IF node, or of a rule of a Switch node. */
export function conditionsOf(parameters: INodeParameters): unknown[] {
	return listConditions(parameters).map(({ leftValue }) => leftValue);
}

/** Whether an item meets all conditions of an IF node, each of which is a regular expression. */
export function matchesAll(parameters: INodeParameters, data: Data): boolean {
	return listConditions(parameters).every(({ leftValue, rightValue }) =>
		new RegExp(rightValue).test(String(evaluate(leftValue, data))),
	);
}

function listConditions({ conditions }: INodeParameters): Condition[] {
	return (conditions as unknown as { conditions: Condition[] }).conditions;
}
