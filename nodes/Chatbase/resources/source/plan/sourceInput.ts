import type { IDataObject } from 'n8n-workflow';

import type { NonEmpty } from '../../../values/list';

export type SourceType = 'text' | 'qna' | 'file' | 'link';

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

/** How sources are written; the same for all items about a source. */
export interface UpsertSettings {
	readonly chatbotId: string;
	readonly dryRun: boolean;
	/** Whether the source is sent even if it has not changed. */
	readonly alwaysSend: boolean;
	/** How many milliseconds to wait for the training, at most; 0 for no wait. */
	readonly wait: number;
}

/** What Create or Update and Mirror read of an item. */
export interface SourceInput {
	readonly index: number;
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}

/** A source that one or more items want. */
export interface SourceWish {
	/** The numbers of the items. */
	readonly items: Readonly<NonEmpty<number>>;
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}
