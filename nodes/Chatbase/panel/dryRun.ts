import type { InputItem } from '../execution/item';
import { type Field, readOptional, toggleField, toggleOption } from './field';
import { boolean } from './types';

const label = 'Dry Run';

export const dryRunToggle: Field<boolean> = {
	...toggleField('dryRun', label, {
		description: 'Whether to show what would happen without writing anything',
	}),
	read: (item) => readDryRun(item, 'dryRun', () => item.parameter('dryRun')),
};

/** Dry Run as a field in Options. */
export function dryRunIn(description: string): Field<boolean> {
	return {
		...toggleOption('dryRun', label, { description }),
		read: (item) => readDryRun(item, 'options.dryRun', () => item.option('dryRun')),
	};
}

export const dryRunOption = dryRunIn(
	'Whether to return what would change without writing anything',
);

/** Throws if the expression of the toggle has no value, so that it is unclear whether to write. */
function readDryRun(item: InputItem, path: string, given: () => unknown): boolean {
	return item.context.readSettings(path, () => {
		const value = given() ?? undefined;
		if (value === undefined && item.rawParameter(path) !== undefined) {
			const nextStep =
				'Its expression has no value for this item. It needs true or false.';
			throw item.error('Dry Run has no value', nextStep);
		}
		return readOptional(item, value, boolean, label) ?? false;
	});
}

/** Throws if Dry Run is on for some items only. */
export function assertOneDryRun(
	items: InputItem[],
	field: Pick<Field<boolean>, 'read'>,
): void {
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
