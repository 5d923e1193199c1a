import type { IDataObject } from 'n8n-workflow';

export type SourceType = 'text' | 'qna' | 'file' | 'link';

/** A source as the service returns it, without its content. */
export interface Source extends IDataObject {
	id: string;
	type?: string;
	name?: string | null;
	/** In bytes. */
	size?: number;
	status?: string;
	metadata?: IDataObject | null;
}

/** A file of an input item. Its bytes stay with n8n until they are sent. */
export interface WantedFile {
	/** The name with an ending that the service accepts. */
	readonly fileName: string;
	readonly mediaType: string;
	/** Reads all of it. */
	read(): Promise<Uint8Array>;
}

/** What an item wants to change of a source. */
export interface SourceChange {
	/** All fields but the type, which an update must not have. A file is represented by its SHA-256. */
	readonly body: Readonly<IDataObject>;
	readonly file?: WantedFile;
}

/** What an item wants a source to be. */
export interface WantedSource extends SourceChange {
	readonly type: SourceType;
	/** The name. For a link, this is its URL. */
	readonly name: string;
	/** The key by which the item finds its source. */
	readonly key: string;
	/** The fingerprint of the body. */
	readonly fingerprint: string;
}

/** The key by which an item finds its source. */
export function sourceKeyOf(source: Pick<Source, 'type' | 'name'>): string {
	return `${source.type} ${sourceNameOf(source)}`;
}

/**
 * The name for comparisons: a service may remove spaces around it, and store it in another Unicode form. The form that sends
 * a file writes each line break as CRLF. A name that is no text, such as a number, counts as the text that a person sees.
 */
export function sourceNameOf({ name }: { readonly name?: unknown }): string {
	return String(name ?? '')
		.trim()
		.replace(/\r\n?/g, '\n')
		.normalize('NFC');
}

export function isGone({ status }: Source): boolean {
	return status === 'toBeDeleted' || status === 'deleted';
}

/** Whether the chatbot has not yet learned what the source holds. */
export function isInTraining({ status }: Source): boolean {
	return status === 'untrained' || status === 'updated';
}
