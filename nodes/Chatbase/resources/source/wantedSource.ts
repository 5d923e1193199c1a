import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import type { FileDescription, InputItem } from '../../execution/item';
import { nothingToUpdate } from '../../panel/collections';
import { type Field, readAs, readOptional, valuesOf } from '../../panel/field';
import { filledText, only, text, textUpTo, type ValueType } from '../../panel/types';
import { assertNotDeleted } from '../../sync/ownOutput';
import { countFormat, isBlank, ownValue } from '../../values/json';
import {
	changes,
	content,
	linkOptions,
	linkTypeField,
	newFileField,
	type SourceType,
} from './contentFields';
import { keyOf, nameOf } from './sources';

/** A file of an input item. Its bytes stay with n8n until they are sent. */
export interface WantedFile {
	item: InputItem;
	/** Name of the binary field. */
	field: string;
	/** Whether the node before has named it. */
	isNamed: boolean;
	/** With the ending that the service accepts, if anything states one. */
	fileName: string;
	/** As the node before states it, which may be wrong. */
	mimeType: string;
}

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
	link: only(
		text,
		'a web address such as https://example.com/docs',
		(url) => /^https?:\/\//i.test(url) && URL.canParse(url),
	),
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
	const given = type === 'file' && isBlank(value) ? nameOfFile(item) : value;
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
	assertNotDeleted(item, 'source');
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

function nameOfFile(item: InputItem): string {
	const { isNamed, fileName } = fileOf(item);
	return isNamed ? fileName : '';
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

/** Limits: reference of version 2, 14.3. */
const maxFileSize = 20 * 1024 * 1024;
const acceptedNames =
	'The service accepts .pdf, .doc, .docx and .txt, and the node sends .csv and .md as .txt.';

/** Media types by the ending of the name, since the service seems to judge a file by it. */
const mediaTypes: Record<string, string> = {
	doc: 'application/msword',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	pdf: 'application/pdf',
	txt: 'text/plain',
};

/** Endings of texts that the service refuses under their own ending. */
const plainTexts = ['csv', 'md'];

/** What the item says of its file, which may not be valid. */
function describeFile(item: InputItem, field: string): WantedFile {
	if (item.isTool) {
		throw item.error(
			'Files do not work as a tool',
			'An agent has no files. Use a text, or this operation as a step of a workflow.',
		);
	}
	const stated = item.describeFile(field);
	return {
		item,
		field,
		isNamed: !isBlank(stated.fileName),
		fileName: completeName(stated),
		mimeType: stated.mimeType ?? '',
	};
}

/** Google Drive names a Google Doc "Handbook", and HTTP Request may give no name (n8n 2.41). */
function completeName(file: FileDescription): string {
	const name = file.fileName?.trim() ?? '';
	const ending = acceptedEnding(file);
	if (!ending || endingOf(name) === ending) return name;
	return `${name || 'file'}.${ending}`;
}

/** The first that the service accepts: of the name, as n8n states it, of the MIME type. */
function acceptedEnding(file: FileDescription): string | undefined {
	const { fileName = '', fileExtension = '', mimeType = '' } = file;
	const stated = [endingOf(fileName.trim()), fileExtension.toLowerCase()];
	const endings = stated.map((ending) => (plainTexts.includes(ending) ? 'txt' : ending));
	const accepted = endings.find((ending) => Object.hasOwn(mediaTypes, ending));
	return accepted ?? endingOfType(mimeType);
}

/** In lower case; empty if there is none. */
function endingOf(fileName: string): string {
	return /\.([^.\s]+)$/.exec(fileName)?.[1].toLowerCase() ?? '';
}

/** @param mimeType perhaps with parameters, such as `text/plain; charset=utf-8` */
function endingOfType(mimeType: string): string | undefined {
	const mediaType = mimeType.split(';')[0].trim().toLowerCase();
	return Object.keys(mediaTypes).find((ending) => mediaTypes[ending] === mediaType);
}

/** Checks a file and where it will go, and reads it once. Returns its SHA-256. */
async function checkFile(file: WantedFile, api: ApiClient): Promise<string> {
	const { item, field, fileName } = file;
	api.rootOf('agentFiles');
	warnOfWebPage(file);

	const hash = createHash('sha256');
	let size = 0;
	for await (const bytes of await item.streamFile(field)) {
		hash.update(bytes);
		size += bytes.length;
		if (size > maxFileSize) {
			const nextStep = `"${fileName}" is larger than 20 MB. Split it into several files, or send its text.`;
			throw item.error('The file is too large', nextStep);
		}
	}

	if (size > 0) return hash.digest('base64');
	throw item.error(
		'The file is empty',
		`"${fileName}" has no content. Check the node before.`,
	);
}

/** @returns the media type for the ending of the name */
export function mediaTypeOf({ item, fileName }: WantedFile): string {
	const ending = endingOf(fileName);
	if (!ending) {
		const nextStep = `It is ${fileName ? `"${fileName}"` : 'empty'}. ${acceptedNames} Set the file name in the node before.`;
		throw item.error('The file name has no ending', nextStep);
	}

	const mediaType = ownValue(mediaTypes, ending);
	if (mediaType) return mediaType;
	const nextStep = `It is "${fileName}". ${acceptedNames} Read other files with an Extract from File node, and send their text as Source Type Text.`;
	throw item.error('The service does not accept this type of file', nextStep);
}

/** The node before may have received a login page in place of the file. */
function warnOfWebPage(file: WantedFile) {
	const isText = mediaTypeOf(file) === 'text/plain';
	if (isText || !/^text\/html\b/i.test(file.mimeType)) return;
	file.item.context.warn(
		`The file "${file.fileName}" looks like a web page: its MIME type is "${file.mimeType}". Check what the node before has received.`,
	);
}
