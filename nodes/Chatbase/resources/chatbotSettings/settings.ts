import type { IDataObject } from 'n8n-workflow';

import type { Kind } from '../../fields/kinds';
import {
	colour,
	filledText,
	oneOf,
	share,
	text,
	texts,
	truth,
	wholeNumber,
} from '../../fields/kinds';
import { isObject } from '../../values/object';

/** A setting of a chatbot. */
export interface Setting {
	/** Display name of its field. */
	label: string;
	kind: Kind;
}

/** Every setting of a chatbot by its path in the request (contract, Chatbot settings). */
export const settings: ReadonlyMap<string, Setting> = new Map<string, Setting>([
	['name', { label: 'Name', kind: text }],
	['instructions', { label: 'Instructions', kind: text }],
	['initialMessages', { label: 'Initial Messages', kind: texts }],
	['suggestedMessages', { label: 'Suggested Messages', kind: texts }],
	['visibility', { label: 'Visibility', kind: oneOf('public', 'private') }],
	['domains', { label: 'Domains', kind: texts }],
	['onlyAllowOnAddedDomains', { label: 'Only Allow on Added Domains', kind: truth }],
	['ipLimit', { label: 'IP Limit', kind: wholeNumber(0) }],
	['ipLimitTimeframe', { label: 'IP Limit Timeframe', kind: wholeNumber(0) }],
	['ipLimitMessage', { label: 'IP Limit Message', kind: text }],
	['model', { label: 'Model', kind: filledText }],
	['temp', { label: 'Temperature', kind: share }],
	['styles.theme', { label: 'Theme', kind: oneOf('light', 'dark') }],
	['styles.buttonColor', { label: 'Button Color', kind: colour }],
	['styles.displayName', { label: 'Display Name', kind: text }],
	['styles.alignChatButton', { label: 'Align Chat Button', kind: oneOf('left', 'right') }],
	['styles.userMessageColor', { label: 'User Message Color', kind: colour }],
	[
		'styles.autoOpenChatWindowAfter',
		{ label: 'Auto Open Chat Window After', kind: wholeNumber(0) },
	],
	['collectCustomerInformation.title', { label: 'Title', kind: text }],
	['collectCustomerInformation.name.active', { label: 'Name Active', kind: truth }],
	['collectCustomerInformation.name.label', { label: 'Name Label', kind: text }],
	['collectCustomerInformation.email.active', { label: 'Email Active', kind: truth }],
	['collectCustomerInformation.email.label', { label: 'Email Label', kind: text }],
	['collectCustomerInformation.phone.active', { label: 'Phone Active', kind: truth }],
	['collectCustomerInformation.phone.label', { label: 'Phone Label', kind: text }],
]);

/** Whether a path leads to settings within it, such as `styles`. */
export function isGroup(path: string): boolean {
	return [...settings.keys()].some((known) => known.startsWith(`${path}.`));
}

/**
 * Lists nested settings by path. It descends into groups only, so that whatever is unknown or of
 * the wrong shape comes out under its own path.
 *
 * @param nested settings in the shape of the request
 */
export function listSettings(nested: IDataObject): Array<[path: string, value: unknown]> {
	return entriesWithin(nested, '');
}

function entriesWithin(nested: IDataObject, prefix: string): Array<[string, unknown]> {
	return Object.entries(nested).flatMap(([name, value]) => {
		const path = prefix + name;
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
