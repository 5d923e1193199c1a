import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { nothingToUpdate } from '../../panel/collections';
import { type Field, readAs, readOptional, valuesOf } from '../../panel/field';
import { filledText, text, textUpTo, type ValueType } from '../../panel/types';
import { isBlank } from '../../values/json';
import { countFormat } from '../../values/number';
import {
	changes,
	content,
	linkOptions,
	linkTypeField,
	newFileField,
	type SourceType,
} from './contentFields';
import { keyOf, nameOf } from './sources';
import { checkFile, describeFile, type WantedFile } from './wantedFile';

export interface SourceChange {
	/** Everything but the type, which an update must not have. In place of a file, its SHA-256. */
	body: IDataObject;
	file?: WantedFile;
}

/** What an item wants a source to be. */
export interface WantedSource extends SourceChange {
	type: SourceType;
	/** Of a link, its URL. */
	name: string;
	/** What it has in common with its source. */
	key: string;
	/** Of the body. */
	fingerprint: string;
}

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

/** What identifies an item even if the rest of it is invalid. */
export interface StatedSource {
	type: SourceType;
	given: unknown;
	/** Undefined if what was given is no text. */
	name?: string;
	/** Of what every name begins with; added to names that lack it. */
	prefix?: string;
}

/** Reads type and name, which need not be valid, and sets `item.identity`. */
export function readStated(item: InputItem, typeField: Field<SourceType>): StatedSource {
	const type = typeField.read(item);
	const value = item.parameter(type === 'link' ? 'url' : 'name');
	const given = type === 'file' && isBlank(value) ? fileOf(item).fileName : value;
	const name = trimmed(given);
	identify(item, type, name);
	return { type, given, name };
}

/** Reads what an item wants to create. */
export async function readWanted(
	item: InputItem,
	api: ApiClient,
	stated: StatedSource,
): Promise<WantedSource> {
	const { type } = stated;
	const name = readName(item, stated);
	const body = contentOf(item, type, name);
	const file = type === 'file' ? fileOf(item) : undefined;
	if (file) body.file = await checkFile(file, api);

	const json = sendableJson(item, body);
	const fingerprint = createHash('sha256').update(json).digest('base64').slice(0, 22);
	return { type, name, key: keyOf({ type, name }), body, file, fingerprint };
}

function readName(item: InputItem, stated: StatedSource): string {
	const { type, given, prefix = '' } = stated;
	const isLacking = stated.name && !stated.name.startsWith(prefix);
	const name = isLacking ? prefix + stated.name : stated.name;
	identify(item, type, name);

	const nameType = prefix && type === 'qna' ? shortName : nameTypes[type];
	const rule = isLacking ? `It begins with the Name Prefix "${prefix}".` : nameType.rule;
	const label = type === 'link' ? 'URL' : 'Name';
	return readAs(item, name ?? given, { ...nameType, rule }, label);
}

/** Undefined if the value is no text. */
function trimmed(value: unknown): string | undefined {
	const name = text.read(value);
	return name === undefined ? undefined : nameOf({ name });
}

function identify(item: InputItem, type: SourceType, name: string | undefined) {
	const id = name || undefined;
	item.identity = { id, type };
	if (id !== undefined) item.name = `Source ${id}`;
}

function fileOf(item: InputItem): WantedFile {
	return describeFile(item, content.file.read(item)!);
}

function contentOf(item: InputItem, type: SourceType, name: string): IDataObject {
	if (type === 'file') return { name };
	if (type === 'link')
		return { url: name, ...valuesOf(item, [linkTypeField, ...linkOptions]) };
	return { name, ...valuesOf(item, content[type]) };
}

/** Reads the fields to change. The type of their source is not known. */
export async function readChanges(
	item: InputItem,
	api: ApiClient,
): Promise<SourceChange> {
	const body = valuesOf(item, changes);
	const field = newFileField.read(item);
	const file = field === undefined ? undefined : describeFile(item, field);
	if (file && Object.keys(body).length > 0) {
		throw item.error(
			'A file has no other content',
			'Under Update Fields, remove everything but Name and Input Data Field Name.',
		);
	}

	const given = item.parameter('updateFields.name');
	const nameType = body.content === undefined ? filledText : shortName;
	const name = readOptional(item, trimmed(given) ?? given, nameType, 'Name');
	if (name !== undefined) body.name = name;
	if (file) await checkFile(file, api);
	if (!file && Object.keys(body).length === 0) {
		throw nothingToUpdate(item, 'Add at least one field under Update Fields.');
	}

	sendableJson(item, body);
	return { body, file };
}

/** Throws if the service would refuse the body for its size. */
function sendableJson(item: InputItem, body: IDataObject): string {
	const json = JSON.stringify(body);
	const size = Buffer.byteLength(json);
	if (size <= maxBodySize) return json;

	const nextStep = `As JSON it has ${countFormat.format(size)} bytes, and the service accepts 4.5 MB. Split it into several sources.`;
	throw item.error('The source is too large', nextStep);
}
