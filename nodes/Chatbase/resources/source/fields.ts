import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { Field, Look, Shown } from '../../fields/field';
import {
	choiceField,
	optionalField,
	propertyOf,
	requiredField,
	valuesOf,
} from '../../fields/field';
import type { ValueType } from '../../fields/values';
import {
	boolean,
	filledText,
	hasValue,
	readAs,
	stringList,
	text,
	textUpTo,
} from '../../fields/values';
import { countFormat } from '../../values/scalar';
import { comparableName } from './sources';

type SourceType = 'text' | 'qna' | 'link';

export interface WantedSource {
	type: SourceType;
	/** Of a link, its URL. */
	name: string;
	/** Everything but the type, which an update must not have. */
	body: IDataObject;
}

const paths: ValueType<string[]> = {
	...stringList,
	rule: 'Enter one path per line. To send an empty list, use the expression {{ [] }}.',
};

/** Limits: reference of version 2, 5.1. */
const questionList: ValueType<string[]> = {
	expected: 'a list of 1 to 50 questions',
	read(value) {
		const questions = stringList.read(value) ?? [];
		return questions.length >= 1 && questions.length <= 50 ? questions : undefined;
	},
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

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	description:
		'Up to 100 characters for a text. Create or Update and Mirror recognize the source by it.',
	placeholder: 'e.g. Return policy',
};

const contentFields = (
	collection: '' | 'updateFields.',
	field: typeof optionalField,
): Record<'text' | 'qna', Field[]> => ({
	text: [
		field(`${collection}content`, 'Content', textUpTo(1_048_576), {
			description:
				'What the chatbot learns, up to 1,048,576 characters. It replaces earlier content.',
			required: false,
			typeOptions: { rows: 6 },
			placeholder: 'e.g. You can return a parcel within 30 days.',
		}),
	],
	qna: [
		field(`${collection}questions`, 'Questions', questionList, {
			description: 'Up to 50 questions, one per line, or a list from an expression',
			required: false,
			typeOptions: { rows: 3 },
			placeholder: 'e.g. How do I return a parcel?',
		}),
		field(`${collection}answer`, 'Answer', filledText, {
			description: 'The answer to all of the questions',
			required: false,
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Within 30 days, with the label in the box.',
		}),
	],
});

function linkFields(collection: 'options' | 'updateFields', look: Partial<Look> = {}): Field[] {
	return [
		optionalField(`${collection}.excludePaths`, 'Exclude Paths', paths, {
			description: 'Paths to leave out, as regular expressions, one per line',
			typeOptions: { rows: 2 },
			placeholder: 'e.g. /blog/.*',
			...look,
		}),
		optionalField(`${collection}.includeOnlyPaths`, 'Include Only Paths', paths, {
			description: 'Only these paths, as regular expressions, one per line',
			typeOptions: { rows: 2 },
			placeholder: 'e.g. /docs/.*',
			...look,
		}),
		optionalField(`${collection}.slowScraping`, 'Slow Scraping', boolean, {
			description: 'Whether to read the pages slowly, for a website that limits visitors',
			type: 'boolean',
			default: true,
			...look,
		}),
	];
}

const content = contentFields('', requiredField);
const changes = Object.values(contentFields('updateFields.', optionalField)).flat();
changes.push(...linkFields('updateFields'));

export const changeableFields: Shown[] = [nameField, ...changes];
export const linkOptions = linkFields('options', {
	displayOptions: { show: { '/sourceType': ['link'] } },
});

const typeLook = { description: 'What the chatbot learns from', default: 'text' } as const;
const matchableTypes: Record<'text' | 'qna', [string, string]> = {
	text: ['Text', 'A text that you write or read from elsewhere'],
	qna: ['Q&A', 'Questions with one answer'],
};
export const matchableTypeField = choiceField('sourceType', 'Source Type', {
	...typeLook,
	choices: matchableTypes,
});
export const typeField = choiceField('sourceType', 'Source Type', {
	...typeLook,
	choices: { ...matchableTypes, link: ['Link', 'A page or website that Chatbase reads'] },
});

const linkTypeField = choiceField('linkType', 'Link Type', {
	description: 'Which pages Chatbase reads',
	default: 'individual',
	choices: {
		crawl: ['Crawl', 'All pages that links lead to'],
		individual: ['Individual', 'Only this page'],
		sitemap: ['Sitemap', 'All pages in the sitemap at the URL'],
	},
});

function shownFor(sourceType: SourceType[], ...fields: Shown[]): INodeProperties[] {
	const displayOptions = { show: { sourceType } };
	return fields.map((shown) => ({ ...propertyOf(shown), displayOptions }));
}

const writtenFields = [
	...shownFor(['text', 'qna'], nameField),
	...shownFor(['text'], ...content.text),
	...shownFor(['qna'], ...content.qna),
];

/** For sources that the node can recognize later. */
export const matchableFields: Shown[] = [matchableTypeField, ...writtenFields];

export const createFields: Shown[] = [
	typeField,
	...writtenFields,
	...shownFor(
		['link'],
		{
			...nameField,
			displayName: 'URL',
			name: 'url',
			description: 'Address of the page or website',
			placeholder: 'e.g. https://example.com/docs',
		},
		linkTypeField,
	),
];

function trimmed(value: unknown): unknown {
	const name = text.read(value);
	return name === undefined ? value : comparableName(name);
}

/** Sets `item.identity` even if the rest is invalid. */
export function readWanted(item: InputItem, kind: Field<SourceType>): WantedSource {
	const type = kind.read(item);
	const [path, label] = type === 'link' ? ['url', 'URL'] : ['name', 'Name'];
	const typed = trimmed(item.parameter(path));
	item.identity = { id: text.read(typed) || undefined };
	if (item.identity.id !== undefined) item.name = `Source ${item.identity.id}`;
	const name = readAs(item, typed, nameTypes[type], label);
	const body: IDataObject = { [path]: name };
	if (type === 'link') {
		body.linkType = linkTypeField.read(item);
		Object.assign(body, valuesOf(item, linkOptions));
	} else Object.assign(body, valuesOf(item, content[type]));
	return { type, name, body: withinSize(item, body) };
}

/** Reads the fields to change. The type of their source is not known. */
export function readChanges(item: InputItem): IDataObject {
	const body = valuesOf(item, changes);
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
