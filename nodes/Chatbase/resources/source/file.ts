import { createHash } from 'node:crypto';

import type { ApiClient } from '../../api/client';
import type { InputItem } from '../../execution/item';
import { ownValue } from '../../values/json';

/** A file of an input item. Its bytes stay with n8n until they are sent. */
export interface WantedFile {
	item: InputItem;
	/** Name of the binary field. */
	field: string;
	fileName: string;
	mediaType: string;
}

/** Limits: reference of version 2, 14.3. */
const maxSize = 20 * 1024 * 1024;
const acceptedNames = 'The service accepts .pdf, .doc, .docx and .txt.';

/** By the ending of the name, since the service seems to judge a file by it: its media type, and which others fit. */
const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const fileTypes: Record<string, [mediaType: string, fits: RegExp]> = {
	doc: ['application/msword', /msword/],
	docx: [wordType, /wordprocessingml/],
	pdf: ['application/pdf', /pdf/],
	txt: ['text/plain', /^text\/(?!html)/],
};

/** Media types that say what a file is. Others, such as application/octet-stream, fit every ending. */
const tellingType =
	/^(audio|font|image|text|video)\/|^application\/(json|msword|pdf|vnd\.|xhtml|xml)/;

/** What the item says of its file, which may not be valid. */
export function describeFile(item: InputItem, field: string): WantedFile {
	if (item.isTool) {
		throw item.error(
			'Files do not work as a tool',
			'An agent has no files. Use a text, or this operation as a step of a workflow.',
		);
	}
	const { fileName, mimeType } = item.describeFile(field);
	return { item, field, fileName: fileName?.trim() ?? '', mediaType: mimeType ?? '' };
}

/** Checks a file and where it will go, and reads it once. Returns its SHA-256. */
export async function checkFile(file: WantedFile, api: ApiClient): Promise<string> {
	const { item, field, fileName } = file;
	api.rootOf('agentFiles');
	mediaTypeOf(file);
	const hash = createHash('sha256');
	let size = 0;
	for await (const bytes of await item.streamFile(field)) {
		hash.update(bytes);
		size += bytes.length;
		if (size > maxSize) {
			const nextStep = `"${fileName}" is larger than 20 MB. Split it into several files, or send its text.`;
			throw item.error('The file is too large', nextStep);
		}
	}
	if (size > 0) return hash.digest('base64');
	throw item.error('The file is empty', `"${fileName}" has no content. Check the node before.`);
}

/** @returns the media type for the ending of the name */
export function mediaTypeOf({ item, fileName, mediaType }: WantedFile): string {
	const [, ending] = /\.([^.\s]+)$/.exec(fileName) ?? [];
	if (!ending) {
		const nextStep = `It is ${fileName ? `"${fileName}"` : 'empty'}. ${acceptedNames} Set the file name in the node before.`;
		throw item.error('The file name has no ending', nextStep);
	}
	const type = ownValue(fileTypes, ending.toLowerCase());
	if (!type) {
		const nextStep = `It is "${fileName}". ${acceptedNames} Read other files with an Extract from File node, and send their text as Source Type Text.`;
		throw item.error('The service does not accept this type of file', nextStep);
	}
	const [expected, fits] = type;
	if (!tellingType.test(mediaType) || fits.test(mediaType)) return expected;
	const nextStep = `The name is "${fileName}", and the MIME type is "${mediaType}". The node before may have received a web page or another file. If only the MIME type is wrong, correct it there.`;
	throw item.error('The file is not what its name says', nextStep);
}
