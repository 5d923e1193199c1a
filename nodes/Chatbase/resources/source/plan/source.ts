import type { IDataObject } from 'n8n-workflow';

/** As the service returns it, without its content. */
export interface Source extends IDataObject {
	id: string;
	type?: string;
	name?: string | null;
	/** In bytes. */
	size?: number;
	status?: string;
	metadata?: IDataObject | null;
}

/** What an item and its source have in common. */
export function keyOf(source: Pick<Source, 'type' | 'name'>): string {
	return `${source.type} ${nameOf(source)}`;
}

/** A service may remove spaces around a name, and store it in another Unicode form. */
export function nameOf({ name }: Pick<Source, 'name'>): string {
	return (name ?? '').trim().normalize('NFC');
}

export function isGone({ status }: Source): boolean {
	return status === 'toBeDeleted' || status === 'deleted';
}
