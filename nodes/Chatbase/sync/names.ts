/** Which records a run names in its hints: people want to look at records that changed or are missing. */
import type { IDataObject } from 'n8n-workflow';

import { isBlank } from '../values/json';
import { abbreviate } from '../values/list';
import { type Action, actionOf, syncOf } from './records';

/** How many records a hint or an error names. */
export const maxNames = 5;

const maxFields = 3;

/** The actions whose records are named. The records of other actions are only counted. */
const namedActions: Action[] = ['updated', 'missing', 'marked', 'deleted', 'kept'];

/** The first names of each action, such as ` (W-2002: plan; W-2008: email)`. */
export type ActionNames = Partial<Record<Action, string>>;

/** @param idField the field by which people know a record */
export function namesByAction(
	records: readonly IDataObject[],
	idField: string,
): ActionNames {
	const named = new Map(namedActions.map((action) => [action, new Set<string>()]));
	for (const record of records) {
		const action = actionOf(record);
		const names = action && named.get(action);
		if (!names || names.size > maxNames || isBlank(record[idField])) continue;

		const changes = action === 'updated' ? changesOf(record) : '';
		names.add(abbreviate(String(record[idField])) + changes);
	}

	const filled = [...named].filter(([, { size }]) => size > 0);
	return Object.fromEntries(
		filled.map(([action, names]) => [action, shown(names, action)]),
	);
}

/** The names of the fields that changed. An attribute stands there without `custom_attributes`. */
function changesOf(record: IDataObject): string {
	const { changed = [] } = syncOf(record) ?? {};
	if (changed.length === 0) return '';

	const fields = changed.map((field) => field.slice(field.indexOf('.') + 1));
	const more = fields.length > maxFields ? ' …' : '';
	return `: ${fields.slice(0, maxFields).join(', ')}${more}`;
}

function shown(names: ReadonlySet<string>, action: Action): string {
	const separator = action === 'updated' ? '; ' : ', ';
	const more = names.size > maxNames ? ' …' : '';
	return ` (${[...names].slice(0, maxNames).join(separator)}${more})`;
}
