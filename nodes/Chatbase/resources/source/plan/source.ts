import type { IDataObject } from 'n8n-workflow';

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

/** The key by which an item finds its source. */
export function sourceKeyOf(source: Pick<Source, 'type' | 'name'>): string {
	return `${source.type} ${sourceNameOf(source)}`;
}

/**
 * The name for comparisons: a service may remove spaces around it, and store it in another Unicode form. The form that sends
 * a file writes each line break as CRLF.
 */
export function sourceNameOf({ name }: Pick<Source, 'name'>): string {
	return (name ?? '').trim().replace(/\r\n?/g, '\n').normalize('NFC');
}

export function isGone({ status }: Source): boolean {
	return status === 'toBeDeleted' || status === 'deleted';
}
