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
	/** As the node before states it, which may be wrong. */
	mimeType: string;
}

/** Limits: reference of version 2, 14.3. */
const maxSize = 20 * 1024 * 1024;
const acceptedNames = 'The service accepts .pdf, .doc, .docx and .txt.';

/** Media types by the ending of the name, since the service seems to judge a file by it. */
const mediaTypes: Record<string, string> = {
	doc: 'application/msword',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	pdf: 'application/pdf',
	txt: 'text/plain',
};

/** What the item says of its file, which may not be valid. */
export function describeFile(item: InputItem, field: string): WantedFile {
	if (item.isTool) {
		throw item.error(
			'Files do not work as a tool',
			'An agent has no files. Use a text, or this operation as a step of a workflow.',
		);
	}
	const { fileName, mimeType } = item.describeFile(field);
	return { item, field, fileName: fileName?.trim() ?? '', mimeType: mimeType ?? '' };
}

/** Checks a file and where it will go, and reads it once. Returns its SHA-256. */
export async function checkFile(file: WantedFile, api: ApiClient): Promise<string> {
	const { item, field, fileName } = file;
	api.rootOf('agentFiles');
	warnOfWebPage(file);

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
	throw item.error(
		'The file is empty',
		`"${fileName}" has no content. Check the node before.`,
	);
}

/** @returns the media type for the ending of the name */
export function mediaTypeOf({ item, fileName }: WantedFile): string {
	const [, ending] = /\.([^.\s]+)$/.exec(fileName) ?? [];
	if (!ending) {
		const nextStep = `It is ${fileName ? `"${fileName}"` : 'empty'}. ${acceptedNames} Set the file name in the node before.`;
		throw item.error('The file name has no ending', nextStep);
	}

	const mediaType = ownValue(mediaTypes, ending.toLowerCase());
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
