import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { ValueType } from '../../fields/values';
import {
	boolean,
	filledText,
	oneOf,
	readAs,
	readChoice,
	readOptional,
	readRequired,
	stringList,
	text,
} from '../../fields/values';

export type SourceType = 'text' | 'qna' | 'link';

/** A source as an item wants it. */
export interface WantedSource {
	type: SourceType;
	/** Of a link, its URL. */
	name: string;
	/** Everything but the type, which an update must not have. */
	body: IDataObject;
}

const number = new Intl.NumberFormat('en-US');

function textUpTo(maximum: number): ValueType<string> {
	return {
		expected: `a text of 1 to ${number.format(maximum)} characters`,
		read(value) {
			const read = filledText.read(value);
			return read !== undefined && read.length <= maximum ? read : undefined;
		},
	};
}

/** A service may remove spaces around a name, so the node does. */
function trimmed({ expected, read }: ValueType<string>): ValueType<string> {
	return { expected, read: (value) => read(text.read(value)?.trim()) };
}

const nameTypes = {
	text: trimmed(textUpTo(100)),
	qna: trimmed(filledText),
	link: trimmed({
		expected: 'a web address such as https://example.com/docs',
		read: (value) => {
			const url = String(value);
			return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
		},
	}),
};

const questionList: ValueType<string[]> = {
	expected: 'a list of 1 to 50 questions',
	read(value) {
		const questions = stringList.read(value) ?? [];
		return questions.length >= 1 && questions.length <= 50 ? questions : undefined;
	},
};

/** In bytes, as JSON (reference of version 2, 5.1). */
const maxBodySize = 4.5 * 1024 * 1024;

function string(
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
	rows?: number,
): INodeProperties {
	const field = {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder,
		description,
	} as const;
	return { ...field, ...(rows !== undefined && { typeOptions: { rows } }) };
}

const content = string(
	'Content',
	'content',
	'e.g. You can return a parcel within 30 days.',
	'What the chatbot learns, up to 1,048,576 characters. It replaces earlier content.',
	6,
);
const questions = string(
	'Questions',
	'questions',
	'e.g. How do I return a parcel?',
	'Up to 50 questions, one per line, or a list from an expression',
	3,
);
const answer = string(
	'Answer',
	'answer',
	'e.g. Within 30 days, with the label in the box.',
	'The answer to all of the questions',
	4,
);
const name = string(
	'Name',
	'name',
	'e.g. Return policy',
	'Name of the source, up to 100 characters for a text. Create or Update and Mirror recognize sources by it.',
);
const linkSettings: INodeProperties[] = [
	string(
		'Exclude Paths',
		'excludePaths',
		'e.g. /blog/.*',
		'Paths to leave out, as regular expressions, one per line',
		2,
	),
	string(
		'Include Only Paths',
		'includeOnlyPaths',
		'e.g. /docs/.*',
		'Only these paths, as regular expressions, one per line',
		2,
	),
	{
		displayName: 'Slow Scraping',
		name: 'slowScraping',
		type: 'boolean',
		default: true,
		description: 'Whether to read the pages slowly, for a website that limits visitors',
	},
];

export const linkOptions = linkSettings.map((field): INodeProperties => ({
	...field,
	displayOptions: { show: { '/sourceType': ['link'] } },
}));

export const changeableFields = [name, content, questions, answer, ...linkSettings];

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

const shownFor = (field: INodeProperties, ...sourceType: SourceType[]): INodeProperties => ({
	...field,
	displayOptions: { show: { sourceType } },
});

const writtenFields = [
	shownFor(name, 'text', 'qna'),
	shownFor(content, 'text'),
	shownFor(questions, 'qna'),
	shownFor(answer, 'qna'),
];

/** For sources that the node can recognize and compare. */
export const comparedFields = [typeField(typeChoices.slice(0, 2)), ...writtenFields];

export const createFields: INodeProperties[] = [
	typeField(typeChoices),
	...writtenFields,
	shownFor(
		string('URL', 'url', 'e.g. https://example.com/docs', 'Address of the page or website'),
		'link',
	),
	shownFor(
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
		'link',
	),
];

/** How each field of a source is read. */
const types: Record<string, [label: string, type: ValueType]> = {
	content: ['Content', textUpTo(1_048_576)],
	questions: ['Questions', questionList],
	answer: ['Answer', filledText],
	excludePaths: ['Exclude Paths', stringList],
	includeOnlyPaths: ['Include Only Paths', stringList],
	slowScraping: ['Slow Scraping', boolean],
};

/** Reads those of the fields in a collection that the user added. */
function readAdded(item: InputItem, collection: string, names: string[]): IDataObject {
	const values = names.map((field) => {
		const [label, type] = types[field];
		return [field, readOptional(item, `${collection}.${field}`, type, label)];
	});
	return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as IDataObject;
}

/**
 * Reads the source that an item wants. `item.identity` is set even if the rest is invalid.
 *
 * @throws NodeOperationError that names the invalid field
 */
export function readWanted(item: InputItem, allowed: [SourceType, ...SourceType[]]): WantedSource {
	const type = readChoice(item, 'sourceType', 'Source Type', allowed);
	const [field, label] = type === 'link' ? ['url', 'URL'] : ['name', 'Name'];
	const named = item.parameter(field);
	item.identity = { id: text.read(named)?.trim() || undefined };
	if (item.identity.id !== undefined) item.name = `Source ${item.identity.id}`;
	const body: IDataObject = { [field]: readAs(item, named, nameTypes[type], label) };
	for (const required of { text: ['content'], qna: ['questions', 'answer'], link: [] }[type]) {
		const [title, valueType] = types[required];
		body[required] = readRequired(item, required, valueType, title) as string;
	}
	if (type === 'link') {
		const linkType = oneOf('individual', 'sitemap', 'crawl');
		body.linkType = readOptional(item, 'linkType', linkType, 'Link Type') ?? 'individual';
		Object.assign(
			body,
			readAdded(
				item,
				'options',
				linkSettings.map((setting) => setting.name),
			),
		);
	}
	assertBodySize(item, body);
	return { type, name: String(body[field]), body };
}

/** Reads what an update changes. The type of the source is not known. */
export function readChanges(item: InputItem): IDataObject {
	const body = readAdded(item, 'updateFields', Object.keys(types));
	const nameType = 'questions' in body || 'answer' in body ? nameTypes.qna : nameTypes.text;
	const newName = readOptional(item, 'updateFields.name', nameType, 'Name');
	const changes = { ...(newName !== undefined && { name: newName }), ...body };
	assertBodySize(item, changes);
	if (Object.keys(changes).length > 0) return changes;
	throw item.error(
		'Nothing to update',
		'Add at least one field under Update Fields. If a field is an expression, it has no value for this item.',
	);
}

function assertBodySize(item: InputItem, body: IDataObject) {
	const size = Buffer.byteLength(JSON.stringify(body));
	if (size <= maxBodySize) return;
	throw item.error(
		'The source is too large',
		`As JSON it has ${number.format(size)} bytes, and the service accepts 4.5 MB. Split it into several sources.`,
	);
}
