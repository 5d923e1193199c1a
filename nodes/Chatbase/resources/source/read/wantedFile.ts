import { createHash } from 'node:crypto';

import type { ApiClient } from '../../../api/client';
import type { FileDescription, InputItem } from '../../../execution/item';
import { type InputProblem, refusedInput } from '../../../execution/inputProblems';
import { isBlank } from '../../../values/json';
import { isNonEmpty } from '../../../values/list';
import type { WantedFile } from '../plan/source';

/** What the item says of its file, which may not be valid. */
export interface StatedFile {
	/** Name of the binary field. */
	readonly field: string;
	/** Whether the node before has given the file a name. */
	readonly isNamed: boolean;
	/** The name with an ending that the service accepts, if such an ending is stated anywhere. */
	readonly fileName: string;
	/** The type that the node before states. It may be wrong. */
	readonly mimeType: string;
}

/** Limits: reference of version 2. */
const maxFileSize = 20 * 1024 * 1024;
const acceptedNames =
	'The service accepts .pdf, .doc, .docx and .txt, and the node sends .csv, .json and .md as .txt.';

/** Media types by the ending of the name, since the service seems to judge a file by it. */
const mediaTypes: Record<string, string> = {
	doc: 'application/msword',
	docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
	pdf: 'application/pdf',
	txt: 'text/plain',
};

/** Endings of texts that the service refuses under their own ending. */
const plainTexts = ['csv', 'json', 'md'];

export function describeFile(item: InputItem, field: string): StatedFile {
	if (item.isTool) {
		throw item.error(
			'Files do not work as a tool',
			'An agent has no files. Use a text, or this operation as a step of a workflow.',
		);
	}
	const stated = item.describeFile(field);
	return {
		field,
		isNamed: !isBlank(stated.fileName),
		fileName: completeName(stated),
		mimeType: stated.mimeType,
	};
}

/**
 * Adds an ending to the name. Google Drive names a Google Doc "Handbook", and HTTP Request may
 * give no name (n8n 2.41).
 */
function completeName(file: FileDescription): string {
	const name = file.fileName.trim();
	const ending = acceptedEnding(file);
	if (!ending || endingOf(name) === ending) return name;
	return `${name || 'file'}.${ending}`;
}

/** The first of these endings that the service accepts: in the name, as n8n states it, for the MIME type. */
function acceptedEnding(file: FileDescription): string | undefined {
	const { fileName, fileExtension, mimeType } = file;
	const stated = [endingOf(fileName.trim()), fileExtension.toLowerCase()];
	const endings = stated.map((ending) => (plainTexts.includes(ending) ? 'txt' : ending));
	const accepted = endings.find((ending) => Object.hasOwn(mediaTypes, ending));
	return accepted ?? endingOfType(mimeType);
}

/** The ending in lower case; empty if there is none. */
function endingOf(fileName: string): string {
	return /\.([^.\s]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
}

/** @param mimeType can have parameters, such as `text/plain; charset=utf-8` */
function endingOfType(mimeType: string): string | undefined {
	const [stated = ''] = mimeType.split(';');
	const mediaType = stated.trim().toLowerCase();
	return Object.keys(mediaTypes).find((ending) => mediaTypes[ending] === mediaType);
}

/** Checks a file and where it will go, and reads it once. Throws with all that is wrong with it. */
export async function checkFile(
	item: InputItem,
	api: ApiClient,
	stated: StatedFile,
): Promise<{ file: WantedFile; sha256: string }> {
	const { field, fileName } = stated;
	api.rootOf('agentFiles');

	const { size, sha256 } = await readContent(item, field);
	const found = [wrongEnding(fileName), wrongSize(fileName, size)];
	const problems = found.filter((problem) => problem !== undefined);
	if (isNonEmpty(problems)) throw refusedInput(item, problems);

	const mediaType = mediaTypes[endingOf(fileName)]!;
	warnOfWebPage(item, stated, mediaType);
	const read = async () => await item.readFile(field);
	return { file: { fileName, mediaType, read }, sha256 };
}

/** Reads a file piece by piece, up to the limit. */
async function readContent(
	item: InputItem,
	field: string,
): Promise<{ size: number; sha256: string }> {
	const hash = createHash('sha256');
	let size = 0;
	for await (const bytes of await item.streamFile(field)) {
		hash.update(bytes);
		size += bytes.length;
		if (size > maxFileSize) break;
	}
	return { size, sha256: hash.digest('base64') };
}

function wrongSize(fileName: string, size: number): InputProblem | undefined {
	if (size === 0) {
		const nextStep = `"${fileName}" has no content. Check the node before.`;
		return { title: 'The file is empty', nextStep };
	}
	if (size <= maxFileSize) return undefined;

	const nextStep = `"${fileName}" is larger than 20 MB. Split it into several files, or send its text.`;
	return { title: 'The file is too large', nextStep };
}

function wrongEnding(fileName: string): InputProblem | undefined {
	const ending = endingOf(fileName);
	if (Object.hasOwn(mediaTypes, ending)) return undefined;

	if (!ending) {
		const given = fileName ? `"${fileName}"` : 'empty';
		const nextStep = `It is ${given}. ${acceptedNames} Set the file name in the node before.`;
		return { title: 'The file name has no ending', nextStep };
	}

	const nextStep = `It is "${fileName}". ${acceptedNames} Read other files with an Extract from File node, and send their text as Source Type Text.`;
	return { title: 'The service does not accept this type of file', nextStep };
}

/** Warns if the file is a web page: the node before may have received a login page instead of the file. */
function warnOfWebPage(
	item: InputItem,
	{ fileName, mimeType }: StatedFile,
	mediaType: string,
): void {
	const isText = mediaType === 'text/plain';
	if (isText || !/^text\/html\b/i.test(mimeType)) return;

	item.context.warn(
		`The file "${fileName}" looks like a web page: its MIME type is "${mimeType}". Check what the node before has received.`,
	);
}
