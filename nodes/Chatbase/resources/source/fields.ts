import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import { textField } from '../../fields/define';
import type { ValueType } from '../../fields/values';
import { comparableName } from './sources';
import {
	boolean,
	filledText,
	hasValue,
	readAs,
	readChoice,
	readFields,
	readRequired,
	stringList,
	text,
	textUpTo,
} from '../../fields/values';
import { countFormat } from '../../values/scalar';

type SourceType = 'text' | 'qna' | 'link';

export interface WantedSource {
	type: SourceType;
	/** Of a link, its URL. */
	name: string;
	/** Everything but the type, which an update must not have. */
	body: IDataObject;
}

const paths: ValueType = {
	...stringList,
	rule: 'Enter one path per line. To send an empty list, use the expression {{ [] }}.',
};

/** Limits: reference of version 2, 5.1. */
const types: Record<string, ValueType> = {
	content: textUpTo(1_048_576),
	questions: {
		expected: 'a list of 1 to 50 questions',
		read(value) {
			const questions = stringList.read(value) ?? [];
			return questions.length >= 1 && questions.length <= 50 ? questions : undefined;
		},
	},
	answer: filledText,
	excludePaths: paths,
	includeOnlyPaths: paths,
	slowScraping: boolean,
};
const nameTypes: Record<SourceType, ValueType<string>> = {
	text: textUpTo(100),
	qna: filledText,
	link: {
		expected: 'a web address such as https://example.com/docs',
		read(value) {
			const url = text.read(value) ?? '';
			return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
		},
	},
};
const maxBodySize = 4.5 * 1024 * 1024;

const nameField = textField(
	'Name',
	'name',
	'Up to 100 characters for a text. Create or Update and Mirror recognize the source by it.',
	{ placeholder: 'e.g. Return policy' },
);
const content = textField(
	'Content',
	'content',
	'What the chatbot learns, up to 1,048,576 characters. It replaces earlier content.',
	{ typeOptions: { rows: 6 }, placeholder: 'e.g. You can return a parcel within 30 days.' },
);
const questions = textField(
	'Questions',
	'questions',
	'Up to 50 questions, one per line, or a list from an expression',
	{ typeOptions: { rows: 3 }, placeholder: 'e.g. How do I return a parcel?' },
);
const answer = textField('Answer', 'answer', 'The answer to all of the questions', {
	typeOptions: { rows: 4 },
	placeholder: 'e.g. Within 30 days, with the label in the box.',
});
const linkSettings: INodeProperties[] = [
	textField(
		'Exclude Paths',
		'excludePaths',
		'Paths to leave out, as regular expressions, one per line',
		{ typeOptions: { rows: 2 }, placeholder: 'e.g. /blog/.*' },
	),
	textField(
		'Include Only Paths',
		'includeOnlyPaths',
		'Only these paths, as regular expressions, one per line',
		{ typeOptions: { rows: 2 }, placeholder: 'e.g. /docs/.*' },
	),
	{
		displayName: 'Slow Scraping',
		name: 'slowScraping',
		type: 'boolean',
		default: true,
		description: 'Whether to read the pages slowly, for a website that limits visitors',
	},
];
const contentFields = { text: [content], qna: [questions, answer], link: [] };

export const changeableFields = [nameField, content, questions, answer, ...linkSettings];

export const linkOptions = linkSettings.map((setting): INodeProperties => ({
	...setting,
	displayOptions: { show: { '/sourceType': ['link'] } },
}));

const typeChoices = [
	{ name: 'Text', value: 'text', description: 'A text that you write or read from elsewhere' },
	{ name: 'Q&A', value: 'qna', description: 'Questions with one answer' },
	{ name: 'Link', value: 'link', description: 'A page or website that Chatbase reads' },
];

function typeField(options: typeof typeChoices): INodeProperties {
	return {
		displayName: 'Source Type',
		name: 'sourceType',
		type: 'options',
		default: 'text',
		description: 'What the chatbot learns from',
		options,
	};
}

function shownFor(sourceType: SourceType[], ...fields: INodeProperties[]): INodeProperties[] {
	return fields.map((shown) => ({ ...shown, displayOptions: { show: { sourceType } } }));
}

const writtenFields = [
	...shownFor(['text', 'qna'], nameField),
	...shownFor(['text'], content),
	...shownFor(['qna'], questions, answer),
];

/** For sources that the node can recognize later. */
export const matchableFields = [typeField(typeChoices.slice(0, 2)), ...writtenFields];

export const createFields = [
	typeField(typeChoices),
	...writtenFields,
	...shownFor(
		['link'],
		textField('URL', 'url', 'Address of the page or website', {
			placeholder: 'e.g. https://example.com/docs',
		}),
		{
			displayName: 'Link Type',
			name: 'linkType',
			type: 'options',
			default: 'individual',
			description: 'Which pages Chatbase reads',
			options: [
				{ name: 'Crawl', value: 'crawl', description: 'All pages that links lead to' },
				{ name: 'Individual', value: 'individual', description: 'Only this page' },
				{ name: 'Sitemap', value: 'sitemap', description: 'All pages in the sitemap at the URL' },
			],
		},
	),
];

function trimmed(value: unknown): unknown {
	const name = text.read(value);
	return name === undefined ? value : comparableName(name);
}

/** Sets `item.identity` even if the rest is invalid. */
export function readWanted(item: InputItem, allowed: [SourceType, ...SourceType[]]): WantedSource {
	const type = readChoice(item, 'sourceType', 'Source Type', allowed);
	const [path, label] = type === 'link' ? ['url', 'URL'] : ['name', 'Name'];
	const typed = trimmed(item.parameter(path));
	item.identity = { id: text.read(typed) || undefined };
	if (item.identity.id !== undefined) item.name = `Source ${item.identity.id}`;
	const name = readAs(item, typed, nameTypes[type], label);
	const body: IDataObject = { [path]: name };
	for (const { name: field, displayName } of contentFields[type]) {
		body[field] = readRequired(item, field, types[field], displayName) as IDataObject[string];
	}
	if (type === 'link') {
		body.linkType = readChoice(item, 'linkType', 'Link Type', ['individual', 'sitemap', 'crawl']);
		Object.assign(body, readFields(item, 'options', linkSettings, types));
	}
	return { type, name, body: withinSize(item, body) };
}

/** Reads the fields to change. The type of their source is not known. */
export function readChanges(item: InputItem): IDataObject {
	const [, ...others] = changeableFields;
	const body = readFields(item, 'updateFields', others, types);
	const name = item.parameter('updateFields.name');
	const nameType = body.content === undefined ? nameTypes.qna : nameTypes.text;
	if (hasValue(item, name)) body.name = readAs(item, trimmed(name), nameType, 'Name');
	if (Object.keys(body).length > 0) return withinSize(item, body);
	throw item.error(
		'Nothing to update',
		'Add at least one field under Update Fields. If a field is an expression, it has no value for this item.',
	);
}

function withinSize(item: InputItem, body: IDataObject): IDataObject {
	const size = Buffer.byteLength(JSON.stringify(body));
	if (size <= maxBodySize) return body;
	throw item.error(
		'The source is too large',
		`As JSON it has ${countFormat.format(size)} bytes, and the service accepts 4.5 MB. Split it into several sources.`,
	);
}
