/** After which runs the examples with a summary email the team. */
import type { IDataObject } from 'n8n-workflow';

import { conditionsOf, evaluate, parametersOf } from './exampleNode';

const asks = (file: string, nodeName: string, json: IDataObject) => {
	const [condition] = conditionsOf(parametersOf(file, nodeName));
	return evaluate(condition, { json });
};

it.each<[object, boolean]>([
	[{}, false],
	[{ failed: 1 }, true],
	[{ dropped: { misspelled: 2 } }, true],
])('"Nightly contact sync" after %j: %j', (given, expected) => {
	const summary = { failed: 0, dropped: {}, ...given };
	expect(asks('nightly-contact-sync', 'Fields dropped?', summary)).toBe(expected);
});

it.each<[object, boolean]>([
	[{}, false],
	[{ marked: 1 }, true],
	[{ kept: 1 }, true],
	[{ failed: 1 }, true],
	[{ dropped: { misspelled: 2 } }, true],
	[{ dryRun: true, marked: 1 }, false],
])('"Mirror a CRM" after %j: %j', (given, expected) => {
	const summary = { marked: 0, kept: 0, failed: 0, dropped: {}, ...given };
	expect(asks('mirror-a-crm', 'Contacts missing?', summary)).toBe(expected);
});

it.each<[object, string]>([
	[{ misspelled: 2, plan: 1 }, 'misspelled, plan'],
	[{}, 'failed contacts'],
])('"Nightly contact sync" names what to check after dropping %j', (dropped, expected) => {
	const { subject } = parametersOf('nightly-contact-sync', 'Send summary');
	const json = { dropped } as IDataObject;
	expect(evaluate(subject, { json })).toBe(`Contact sync: check ${expected}`);
});
