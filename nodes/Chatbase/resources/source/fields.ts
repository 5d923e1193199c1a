import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { nothingToUpdate } from '../../panel/collections';
import type { Field, Shown } from '../../panel/field';
import {
	choiceField,
	hasValue,
	optionalField,
	readAs,
	requiredField,
	valuesOf,
} from '../../panel/field';
import type { ValueType } from '../../panel/types';
import { boolean, filledText, stringList, text, textUpTo } from '../../panel/types';
import { isBlank } from '../../values/json';
import { countFormat } from '../../values/number';
import { checkFile, describeFile, type WantedFile } from './file';
import { nameOf } from './sources';

type SourceType = 'text' | 'qna' | 'file' | 'link';

export type SourceChange = Pick<WantedSource, 'body' | 'file'>;

export interface WantedSource {
	type: SourceType;
	/** Of a link, its URL. */
	name: string;
	/** Everything but the type, which an update must not have. In place of a file, its SHA-256. */
	body: IDataObject;
	file?: WantedFile;
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
	file: filledText,
	link: {
		expected: 'a web address such as https://example.com/docs',
		read(value) {
			const url = text.read(value) ?? '';
			return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : undefined;
		},
	},
};
const maxBodySize = 4.5 * 1024 * 1024;

const nameField = optionalField('name', 'Name', text, {
	description:
		'Up to 100 characters for a text. A file can do without: then the name of the file counts. Create or Update and Mirror recognize the source by it.',
	placeholder: 'e.g. Return policy',
});

/** The fields for what a source holds, by its type. */
const contentFields = (collection: '' | 'options.' | 'updateFields.', field = optionalField) => ({
	text: [
		field(`${collection}content`, 'Content', textUpTo(1_048_576), {
			description:
				'What the chatbot learns, up to 1,048,576 characters. It replaces earlier content.',
			typeOptions: { rows: 6 },
			placeholder: 'e.g. You can return a parcel within 30 days.',
		}),
	],
	qna: [
		field(`${collection}questions`, 'Questions', questionList, {
			description: 'Up to 50 questions, one per line, or a list from an expression',
			typeOptions: { rows: 3 },
			placeholder: 'e.g. How do I return a parcel?',
		}),
		field(`${collection}answer`, 'Answer', filledText, {
			description: 'The answer to all of the questions',
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Within 30 days, with the label in the box.',
		}),
	],
	link: [
		field(`${collection}excludePaths`, 'Exclude Paths', paths, {
			description: 'Paths to leave out, as regular expressions, one per line',
			typeOptions: { rows: 2 },
			placeholder: 'e.g. /blog/.*',
		}),
		field(`${collection}includeOnlyPaths`, 'Include Only Paths', paths, {
			description: 'Only these paths, as regular expressions, one per line',
			typeOptions: { rows: 2 },
			placeholder: 'e.g. /docs/.*',
		}),
		field(`${collection}slowScraping`, 'Slow Scraping', boolean, {
			description: 'Whether to read the pages slowly, for a website that limits visitors',
			default: true,
		}),
	],
	file: field(`${collection}binaryPropertyName`, 'Input Data Field Name', filledText, {
		description: 'A PDF, Word or text file up to 20 MB: .pdf, .doc, .docx or .txt',
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the file',
	}),
});

// The type of the source says which of them are needed.
const content = contentFields('', (path, label, type, look) =>
	requiredField(path, label, type, { ...look, required: false }),
);
const { file: newFileField, ...otherContent } = contentFields('updateFields.');
const changes: Field[] = Object.values(otherContent).flat();
export const changeableFields: Shown[] = [nameField, newFileField, ...changes];
export const linkOptions = shownFor(['link'], contentFields('options.').link, '/sourceType');

const typeLook = { description: 'What the chatbot learns from', default: 'text' } as const;
export const matchableTypes: Record<'text' | 'qna' | 'file', [string, string]> = {
	text: ['Text', 'A text that you write or read from elsewhere'],
	qna: ['Q&A', 'Questions with one answer'],
	file: ['File', 'A PDF, Word or text file of the input item'],
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

function shownFor(sourceType: SourceType[], fields: Field[], path = 'sourceType'): Field[] {
	const displayOptions = { show: { [path]: sourceType } };
	return fields.map(({ property, read }) => ({ property: { ...property, displayOptions }, read }));
}

const urlField = optionalField('url', 'URL', text, {
	description: 'Address of the page or website',
	placeholder: 'e.g. https://example.com/docs',
});

const writtenFields = [
	...shownFor(['text', 'qna', 'file'], [nameField]),
	...shownFor(['text'], content.text),
	...shownFor(['qna'], content.qna),
	...shownFor(['file'], [content.file]),
];

/** For sources that the node can recognize later. */
export const matchableFields: Shown[] = [matchableTypeField, ...writtenFields];

export const createFields: Shown[] = [
	typeField,
	...writtenFields,
	...shownFor(['link'], [urlField, linkTypeField]),
];

function trimmed(value: unknown): unknown {
	const name = text.read(value);
	return name === undefined ? value : nameOf({ name });
}

/** Sets `item.identity` even if the rest is invalid. */
export async function readWanted(item: InputItem, api: ApiClient, kind: Field<SourceType>) {
	const type = kind.read(item);
	const [path, label] = type === 'link' ? ['url', 'URL'] : ['name', 'Name'];
	const given = item.parameter(path);
	const wantedFile = () => describeFile(item, content.file.read(item)!);
	const typed = trimmed(type === 'file' && isBlank(given) ? wantedFile().fileName : given);
	item.identity = { id: text.read(typed) || undefined };
	if (item.identity.id !== undefined) item.name = `Source ${item.identity.id}`;
	const name = readAs(item, typed, nameTypes[type], label);
	const file = type === 'file' ? wantedFile() : undefined;
	const fields = { ...content, link: [linkTypeField, ...linkOptions], file: [] }[type];
	const body: IDataObject = { [path]: name, ...valuesOf(item, fields) };
	if (file) body.file = await checkFile(file, api);
	return { type, name, body: withinSize(item, body), file };
}

/** Reads the fields to change. The type of their source is not known. */
export async function readChanges(item: InputItem, api: ApiClient): Promise<SourceChange> {
	const body = valuesOf(item, changes);
	const field = newFileField.read(item);
	const file = field === undefined ? undefined : describeFile(item, field);
	if (file && Object.keys(body).length > 0) {
		throw item.error(
			'A file has no other content',
			'Under Update Fields, remove everything but Name and Input Data Field Name.',
		);
	}
	const name = item.parameter('updateFields.name');
	const nameType = body.content === undefined ? nameTypes.qna : nameTypes.text;
	if (hasValue(item, name)) body.name = readAs(item, trimmed(name), nameType, 'Name');
	if (file) await checkFile(file, api);
	if (file || Object.keys(body).length > 0) return { body: withinSize(item, body), file };
	throw nothingToUpdate(item, 'Add at least one field under Update Fields.');
}

function withinSize(item: InputItem, body: IDataObject): IDataObject {
	const size = Buffer.byteLength(JSON.stringify(body));
	if (size <= maxBodySize) return body;
	const nextStep = `As JSON it has ${countFormat.format(size)} bytes, and the service accepts 4.5 MB. Split it into several sources.`;
	throw item.error('The source is too large', nextStep);
}
