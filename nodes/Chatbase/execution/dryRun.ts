import type { INodeProperties } from 'n8n-workflow';

import { readBoolean } from '../fields/values';
import type { InputItem } from './item';

type DryRunPath = 'dryRun' | 'options.dryRun';

export function dryRunOption(description: string): INodeProperties {
	return { displayName: 'Dry Run', name: 'dryRun', type: 'boolean', default: false, description };
}

/** Throws if the expression of the toggle has no value, so that it is unclear whether to write. */
export function readDryRun(item: InputItem, path: DryRunPath): boolean {
	const value = item.parameter(path);
	const isSet = path === 'dryRun' || 'dryRun' in item.collection('options');
	if (!isSet || (value !== undefined && value !== null)) return readBoolean(item, path, 'Dry Run');
	throw item.error(
		'Dry Run has no value',
		'Its expression has no value for this item. It needs true or false.',
	);
}

/** Throws if Dry Run is on for some items only. */
export function assertOneDryRun(items: InputItem[], fields: INodeProperties[]) {
	const path = dryRunPath(fields);
	if (!path) return;
	let first: { item: InputItem; dryRun: boolean } | undefined;
	for (const item of items) {
		let dryRun: boolean;
		try {
			dryRun = item.context.readSettings(path, () => readDryRun(item, path));
		} catch {
			// The item fails when it is read.
			continue;
		}
		first ??= { item, dryRun };
		if (dryRun === first.dryRun) continue;
		throw item.error(
			'Items use different settings',
			`Dry Run is ${dryRun ? 'on' : 'off'} for this item and ${first.dryRun ? 'on' : 'off'} for item ${first.item.index}. Use the same for all items. Nothing was written.`,
		);
	}
}

function dryRunPath(fields: INodeProperties[]): DryRunPath | undefined {
	if (fields.some(({ name }) => name === 'dryRun')) return 'dryRun';
	const options = fields.find(({ name }) => name === 'options')?.options ?? [];
	return options.some(({ name }) => name === 'dryRun') ? 'options.dryRun' : undefined;
}
