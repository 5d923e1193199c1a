import type { IDataObject } from 'n8n-workflow';

import type { NonEmpty } from '../../../values/list';

export type SourceType = 'text' | 'qna' | 'file' | 'link';

/** A file of an input item. Its bytes stay with n8n until they are sent. */
export interface WantedFile {
	/** With an ending that the service accepts. */
	readonly fileName: string;
	readonly mediaType: string;
	/** Reads all of it. */
	read(): Promise<Uint8Array>;
}

/** What an item wants to change of a source. */
export interface SourceChange {
	/** Everything but the type, which an update must not have. In place of a file, its SHA-256. */
	readonly body: Readonly<IDataObject>;
	readonly file?: WantedFile;
}

/** What an item wants a source to be. */
export interface WantedSource extends SourceChange {
	readonly type: SourceType;
	/** Of a link, its URL. */
	readonly name: string;
	/** What it has in common with its source. */
	readonly key: string;
	/** Of the body. */
	readonly fingerprint: string;
}

/** How sources are written; the same for all items about a source. */
export interface UpsertSettings {
	readonly chatbotId: string;
	readonly dryRun: boolean;
	/** Even if the source has not changed. */
	readonly alwaysSend: boolean;
	/** Most milliseconds to wait for the training; 0 for none. */
	readonly wait: number;
}

/** What Create or Update and Mirror read of an item. */
export interface SourceInput {
	readonly index: number;
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}

/** One source that 1..n items want. */
export interface SourceWish {
	/** Their numbers. */
	readonly items: Readonly<NonEmpty<number>>;
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}
