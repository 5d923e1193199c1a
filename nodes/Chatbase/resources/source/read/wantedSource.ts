import { createHash } from 'node:crypto';

import type { ApiClient } from '../../../api/client';
import type { InputItem } from '../../../execution/item';
import { nothingToUpdate } from '../../../panel/collections';
import { type Field, readAs, readFilledFields, readOptional } from '../../../panel/field';
import {
	filledText,
	text,
	textUpTo,
	type ValueType,
	webAddress,
} from '../../../panel/types';
import { assertNotDeleted } from '../../../sync/records';
import { isBlank } from '../../../values/json';
import {
	changeableContentFields,
	content,
	linkOptions,
	linkTypeField,
	newFileField,
} from '../contentFields';
import {
	type SourceChange,
	sourceKeyOf,
	sourceNameOf,
	type SourceType,
	type WantedSource,
} from '../plan/source';
import { checkFile, describeFile, type StatedFile } from './wantedFile';

/** Limits: reference of version 2. */
const shortName = textUpTo(100);

const nameTypes: Record<SourceType, ValueType<string>> = {
	text: shortName,
	qna: filledText,
	file: filledText,
	link: webAddress,
};

/** The values by which an item is known, even if the rest of it is invalid. */
interface StatedSource {
	type: SourceType;
	given: unknown;
	/** Undefined if the given name is no text. */
	name?: string;
	/** The start of every name. It is added to a name that lacks it. */
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
	const name = readSourceName(item, stated);
	const change = await readContent(item, api, { type, name });

	const json = JSON.stringify(change.body);
	const fingerprint = createHash('sha256').update(json).digest('base64').slice(0, 22);
	return { type, name, key: sourceKeyOf({ type, name }), ...change, fingerprint };
}

function readSourceName(item: InputItem, stated: StatedSource): string {
	const { type, given, name, prefix = '' } = stated;
	const label = type === 'link' ? 'URL' : 'Name';
	const nameType = prefix && type === 'qna' ? shortName : nameTypes[type];

	if (!name || name.startsWith(prefix)) {
		identify(item, type, name);
		return readAs(item, name ?? given, nameType, label);
	}

	const prefixed = prefix + name;
	identify(item, type, prefixed);
	const rule = `It begins with the Name Prefix "${prefix}".`;
	return readAs(item, prefixed, { ...nameType, rule }, label);
}

/** Undefined if the value is no text. */
function trimmed(value: unknown): string | undefined {
	const name = text.read(value);
	return name === undefined ? undefined : sourceNameOf({ name });
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

function fileOf(item: InputItem): StatedFile {
	return describeFile(item, content.file.read(item)!);
}

async function readContent(
	item: InputItem,
	api: ApiClient,
	{ type, name }: { type: SourceType; name: string },
): Promise<SourceChange> {
	if (type === 'file') {
		const { file, sha256 } = await checkFile(item, api, fileOf(item));
		return { body: { name, file: sha256 }, file };
	}

	if (type === 'link') {
		const settings = readFilledFields(item, [linkTypeField, ...linkOptions]);
		return { body: { url: name, ...settings } };
	}

	return { body: { name, ...readFilledFields(item, content[type]) } };
}

/** Reads the fields to change. The type of their source is not known. */
export async function readSourceChange(
	item: InputItem,
	api: ApiClient,
): Promise<SourceChange> {
	const stated = readFilledFields(item, changeableContentFields);
	const field = newFileField.read(item);
	const statedFile = field === undefined ? undefined : describeFile(item, field);
	if (statedFile && Object.keys(stated).length > 0) {
		throw item.error(
			'A file has no other content',
			'Under Update Fields, remove everything but Name and Input Data Field Name.',
		);
	}

	const given = item.parameter('updateFields.name');
	const nameType = stated.content === undefined ? filledText : shortName;
	const name = readOptional(item, trimmed(given) ?? given, nameType, 'Name');
	const body = name === undefined ? stated : { ...stated, name };
	if (statedFile) {
		const { file } = await checkFile(item, api, statedFile);
		return { body, file };
	}

	if (Object.keys(body).length === 0) {
		throw nothingToUpdate(item, 'Add at least one field under Update Fields.');
	}
	return { body };
}
