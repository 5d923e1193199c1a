import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../values/object';
import { settings } from './settings';

/** Whether a path leads to settings within it, such as `styles`. */
export function isGroup(path: string): boolean {
	return [...settings.keys()].some((known) => known.startsWith(`${path}.`));
}

/**
 * Lists nested settings by path. It descends into groups only, so that whatever is unknown or of
 * the wrong shape comes out under its own path. What is undefined, as only an expression can give it, is no setting.
 *
 * @param nested settings in the shape of the request
 */
export function listSettings(nested: IDataObject): Array<[path: string, value: unknown]> {
	return entriesWithin(nested, '');
}

function entriesWithin(nested: IDataObject, prefix: string): Array<[string, unknown]> {
	return Object.entries(nested).flatMap(([name, value]) => {
		const path = prefix + name;
		if (value === undefined) return [];
		return isObject(value) && isGroup(path)
			? entriesWithin(value, `${path}.`)
			: [[path, value] as [string, unknown]];
	});
}

/**
 * Puts settings into the shape of the request.
 *
 * @param entries settings by path, each path known
 */
export function nestSettings(entries: Iterable<[path: string, value: unknown]>): IDataObject {
	const nested: IDataObject = {};
	for (const [path, value] of entries) {
		const names = path.split('.');
		const last = names.pop()!;
		const group = names.reduce((parent, name) => (parent[name] ??= {}) as IDataObject, nested);
		group[last] = value as IDataObject[string];
	}
	return nested;
}
