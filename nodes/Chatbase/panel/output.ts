import type { IDataObject } from 'n8n-workflow';

import type { InputItem } from '../execution/item';
import { choiceField, optionalField, type Shown, toggleField } from './field';
import { commaSeparated } from './types';
import { isObject } from '../values/json';
import { shownInTool } from './notices';

/** What an operation returns of a record: by Simplify in a workflow, by Output in a tool. */
type Output = (record: IDataObject) => IDataObject;

/** The fields of a simplified record, of which the first is its ID. */
export type Simplified = readonly [id: string, ...others: string[]];

/**
 * For an operation with `simplifyField` and `toolOutputFields`. A name such as `customer.email` means a field of an object,
 * which is returned as `customer_email`.
 */
export function readOutput(item: InputItem, simplified: Simplified): Output {
	if (item.isTool) return readToolOutput(item, simplified);
	if (!simplifyField.read(item)) return whole;
	return simplifying(simplified);
}

/** For an operation with `toolOutputFields` alone: a workflow gets whole records. */
export function readToolOutput(item: InputItem, simplified: Simplified): Output {
	if (!item.isTool) return whole;
	const choice = readToolChoice(item);
	if (choice === 'raw') return whole;
	if (choice === 'simplified') return simplifying(simplified);

	const [id] = simplified;
	const names = selectedFields.read(item) ?? [];
	return (record) => pick(record, [id, ...names]);
}

const whole: Output = (record) => record;

function simplifying(paths: Simplified): Output {
	return (record) => Object.fromEntries(paths.flatMap((path) => entriesAt(record, path)));
}

/**
 * The field that a path names. An object becomes several fields, or the one that the path names, and their names start with
 * the name of the object.
 */
function entriesAt(
	record: IDataObject,
	path: string,
): Array<[string, IDataObject[string]]> {
	const [name = '', inner] = path.split('.');
	if (!Object.hasOwn(record, name)) return [];

	const value = record[name];
	if (!isObject(value)) return [[name, value]];

	const names = Object.keys(value).filter((each) => each === (inner ?? each));
	return names.map((each) => [`${name}_${each}`, value[each]]);
}

function pick(record: IDataObject, names: string[]): IDataObject {
	return Object.fromEntries(
		names
			.filter((name) => Object.hasOwn(record, name))
			.map((name) => [name, record[name]]),
	);
}

export const simplifyField = toggleField('simplify', 'Simplify', {
	description:
		'Whether to return a simplified version of the response instead of the raw data',
	default: true,
	...shownInTool(false),
});

const outputField = (simplified = 'The main fields') =>
	choiceField('output', 'Output', {
		description:
			'How much of each record to return. Smaller records leave the agent more context.',
		choices: {
			raw: ['Raw', 'All fields that the service returns'],
			selectedFields: ['Selected Fields', 'The ID and the fields that you choose'],
			simplified: ['Simplified', simplified],
		},
		default: 'simplified',
		...shownInTool(true),
	});

const selectedFields = optionalField('outputFields', 'Fields', commaSeparated, {
	description:
		'The fields to return beside the ID. With an expression, you can name others that the service returns.',
	type: 'multiOptions',
	default: [],
	displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
});

export const readToolChoice = outputField().read;

/** @param names the fields of a record, without its ID */
export function toolOutputFields(simplified: string, names: readonly string[]): Shown[] {
	const options = names
		.map((value) => ({ name: titleFromFieldName(value), value }))
		.sort((one, other) => one.name.localeCompare(other.name, 'en'));
	return [outputField(simplified), { ...selectedFields.property, options }];
}

/** Such as "Created At" for `createdAt` or `created_at`. */
function titleFromFieldName(name: string): string {
	const words = name.replace(/[A-Z]/g, ' $&').split(/[ _]/);
	return words.map(titleOfWord).join(' ');
}

function titleOfWord(word: string): string {
	if (word === 'of') return word;
	if (/^id$/i.test(word)) return 'ID';
	return word.charAt(0).toUpperCase() + word.slice(1);
}
