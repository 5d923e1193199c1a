import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { type Field, hasValue, readAs, valuesOf } from '../../panel/field';
import { nothingToUpdate } from '../../panel/collections';
import { filledText, text, textUpTo, type ValueType } from '../../panel/types';
import { isBlank } from '../../values/json';
import { countFormat } from '../../values/number';
import { checkFile, describeFile, type WantedFile } from './file';
import {
	changes,
	content,
	linkOptions,
	linkTypeField,
	newFileField,
	type SourceType,
} from './contentFields';
import { nameOf } from './sources';

/** What an item wants a source to be. */
export interface WantedSource {
	type: SourceType;
	/** Of a link, its URL. */
	name: string;
	/** Everything but the type, which an update must not have. In place of a file, its SHA-256. */
	body: IDataObject;
	file?: WantedFile;
}

export type SourceChange = Pick<WantedSource, 'body' | 'file'>;

/** Limits: reference of version 2, 5.1. */
const shortName = textUpTo(100);
const maxBodySize = 4.5 * 1024 * 1024;

const nameTypes: Record<SourceType, ValueType<string>> = {
	text: shortName,
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

interface Reading {
	typeField: Field<SourceType>;
	/** Of what every name begins with; added to names that lack it. */
	readPrefix?(): string;
}

/** Reads what an item wants to create. Sets `item.identity` even if the rest is invalid. */
export async function readWanted(
	item: InputItem,
	api: ApiClient,
	{ typeField, readPrefix }: Reading,
): Promise<WantedSource> {
	const type = typeField.read(item);
	const [path, label] = type === 'link' ? ['url', 'URL'] : ['name', 'Name'];
	const given = givenName(item, type, path);
	identify(item, given);

	const prefix = readPrefix?.() ?? '';
	const typed = withPrefix(given, prefix);
	identify(item, typed);
	const nameType = prefix && type === 'qna' ? shortName : nameTypes[type];
	const rule = typed === given ? undefined : `It begins with the Name Prefix "${prefix}".`;
	const name = readAs(item, typed, { ...nameType, ...(rule && { rule }) }, label);

	const body: IDataObject = { [path]: name, ...contentOf(item, type) };
	if (type !== 'file') return { type, name, body: withinSize(item, body) };

	const file = fileOf(item);
	body.file = await checkFile(file, api);
	return { type, name, body, file };
}

/** What stands in the panel, trimmed if it is text. A file can do without a name. */
function givenName(item: InputItem, type: SourceType, path: string): unknown {
	const value = item.parameter(path);
	return trimmed(type === 'file' && isBlank(value) ? fileOf(item).fileName : value);
}

function fileOf(item: InputItem): WantedFile {
	return describeFile(item, content.file.read(item)!);
}

function trimmed(value: unknown): unknown {
	const name = text.read(value);
	return name === undefined ? value : nameOf({ name });
}

/** Adds a prefix to a name that lacks it. */
function withPrefix(given: unknown, prefix: string): unknown {
	const name = text.read(given);
	if (!name || name.startsWith(prefix)) return given;
	return prefix + name;
}

function identify(item: InputItem, name: unknown) {
	const id = text.read(name) || undefined;
	item.identity = { id };
	if (id !== undefined) item.name = `Source ${id}`;
}

function contentOf(item: InputItem, type: SourceType): IDataObject {
	if (type === 'file') return {};
	return valuesOf(item, type === 'link' ? [linkTypeField, ...linkOptions] : content[type]);
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
	const nameType = body.content === undefined ? filledText : shortName;
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
