import type { InputItem } from '../execution/item';
import { type Field, type FieldLook, readOptional, toggleField } from './field';
import { boolean } from './types';

const label = 'Dry Run';

/** Dry Run of a mirror. It is on until somebody turns it off, since a mirror can delete. */
export const dryRunToggle = dryRunAt('dryRun', {
	description:
		'Whether to return what would change without writing anything. Turn it off after you have checked the output.',
	default: true,
});

/** Dry Run as a field in Options. */
export function dryRunIn(description: string): Field<boolean> {
	return dryRunAt('options.dryRun', { description, default: true }, false);
}

export const dryRunOption = dryRunIn(
	'Whether to return what would change without writing anything',
);

/**
 * Throws if the expression of the toggle has no value, so that it is unclear whether to write.
 * @param absent what counts if it was not stored
 */
function dryRunAt(path: string, look: FieldLook, absent = true): Field<boolean> {
	const read = (item: InputItem) => {
		const value = item.parameter(path) ?? undefined;
		if (value === undefined && item.rawParameter(path) !== undefined) {
			const nextStep =
				'Its expression has no value for this item. It needs true or false.';
			throw item.error('Dry Run has no value', nextStep);
		}
		return readOptional(item, value, boolean, label) ?? absent;
	};

	return {
		...toggleField(path, label, look),
		read: (item) => item.context.readSettings(path, () => read(item)),
	};
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

		const [here, there] = dryRun ? ['on', 'off'] : ['off', 'on'];
		throw item.error(
			'Items use different settings',
			`Dry Run is ${here} for this item and ${there} for item ${first.item.index}. Use the same for all items. Nothing was written.`,
		);
	}
}
