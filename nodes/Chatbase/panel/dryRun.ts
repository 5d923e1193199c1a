import type { InputItem } from '../execution/item';
import { type Field, readOptional, toggleField } from './field';
import { boolean } from './types';

type DryRunPath = 'dryRun' | 'options.dryRun';

export function dryRunField(path: DryRunPath, description: string): Field<boolean> {
	const field = toggleField(path, 'Dry Run', { description });
	return { ...field, read: (item) => readDryRun(item, path) };
}

export const dryRunToggle = dryRunField(
	'dryRun',
	'Whether to show what would happen without writing anything',
);

export const dryRunOption = dryRunField(
	'options.dryRun',
	'Whether to return what would change without writing anything',
);

/** Throws if the expression of the toggle has no value, so that it is unclear whether to write. */
function readDryRun(item: InputItem, path: DryRunPath): boolean {
	return item.context.readSettings(path, () => {
		const value = item.parameter(path) ?? undefined;
		if (value === undefined && item.rawParameter(path) !== undefined) {
			const nextStep = 'Its expression has no value for this item. It needs true or false.';
			throw item.error('Dry Run has no value', nextStep);
		}
		return readOptional(item, path, boolean, 'Dry Run') ?? false;
	});
}

/** Throws if Dry Run is on for some items only. */
export function assertOneDryRun(items: InputItem[], field: Pick<Field<boolean>, 'read'>) {
	let first: { item: InputItem; dryRun: boolean } | undefined;
	for (const item of items) {
		let dryRun: boolean;
		try {
			dryRun = field.read(item);
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
