/** Why an item can't be read, and the words for it. */
import { hasExpression } from '../../../execution/context';
import type { InputItem } from '../../../execution/item';
import { isObject } from '../../../values/json';
import { abbreviate } from '../../../values/list';
import { baseFields, labelOf } from '../panel/mapper';
import type { WriteOperation } from '../panel/options';
import type { ContactInput } from '../plan/contactInput';
import { bareName, isAttribute } from '../plan/values';
import { columnNamesOf, isExactName, type Rival, type UnsentColumns } from './columns';

interface ReadItem {
	readonly input: ContactInput;
	/** In automatic mapping. */
	readonly unsent?: UnsentColumns;
}

export function assertNotTool(item: InputItem): void {
	if (!item.isTool) return;
	throw item.error(
		'Automatic mapping does not work in a tool',
		'An agent has no input items. Choose Map Each Column Manually in Contact Fields.',
	);
}

export function assertNoRivals(item: InputItem, [rival]: readonly Rival[]): void {
	if (!rival) return;

	const { target, columns } = rival;
	const names = columns.map((column) => `"${abbreviate(column)}"`).join(' and ');
	const name = isAttribute(target) ? bareName(target) : target;
	const label = labelOf(target) ?? `"${name}"`;
	const isExact = columns.some((column) => isExactName(column, target));
	const advice = isExact
		? 'Remove one of them.'
		: `Remove one of them, or name the right one exactly "${name}".`;
	throw item.error(
		'Two columns have values for one field',
		`${names} both mean ${label}. ${advice}`,
	);
}

export function assertMentions(item: InputItem, { input, unsent }: ReadItem): void {
	if (input.values.size > 0 || input.notSent.size > 0) return;
	const advice = unsent
		? columnAdvice(['name', 'email', 'phonenumber'])
		: 'Map at least one field with a value.';
	throw item.error(
		'Contact Fields has nothing to update',
		`${advice} To clear empty fields, set Empty Values to Clear.`,
	);
}

export function assertNamed(
	item: InputItem,
	operation: WriteOperation,
	{ input, unsent }: ReadItem,
): void {
	const { id, email } = input.key;
	const isUpsert = operation === 'upsert';
	if (id !== undefined || (isUpsert && email !== undefined)) return;

	const advice =
		unsent && columnAdvice(isUpsert ? ['external_id', 'email'] : ['external_id']);
	if (operation === 'mirror') {
		const nextStep =
			'Mirror compares your complete list, so every item needs an External ID. Turn off Always Output Data in the node before if it returns an empty item.';
		throw item.error('External ID is empty', [nextStep, advice].join(' ').trim());
	}

	const whatToMap = isUpsert
		? 'The node finds contacts by External ID, or by Email if an item has no ID. Map at least one of them.'
		: 'Map External ID to the ID that the contact has in your own system.';
	const nextStep = `${emptyReason(item, unsent !== undefined)}${advice ?? whatToMap}`;
	throw item.error('External ID is empty', nextStep);
}

const fieldNames = columnNamesOf([]);

/** Names the column or field for the ID that has no value, if there is one. */
function emptyReason(item: InputItem, isAutomatic: boolean): string {
	if (isAutomatic) {
		const column = Object.keys(item.json).find(
			(name) => fieldNames.targetOf(name) === 'external_id',
		);
		return column === undefined ? '' : `The column "${abbreviate(column)}" is empty. `;
	}

	const values = item.rawParameter('contactFields.value');
	const isUnset = isObject(values) && hasExpression(values.external_id);
	return isUnset ? 'The expression in External ID returned nothing. ' : '';
}

/** Such as: Name a column external_id or External ID. */
function columnAdvice(fields: string[]): string {
	const names = baseFields
		.filter(({ id }) => fields.includes(id))
		.map(({ id, displayName }) => `${id} or ${displayName}`);
	const spelling = 'Letter case, spaces, "_", "-" and "." don\'t matter.';
	return `Automatic mapping needs a column that is named ${names.join(', or ')}. ${spelling}`;
}
