import type { ResourceMapperField } from 'n8n-workflow';

import { bareName } from './contactValues';

/** A custom attribute by the names that people know it by. */
export interface AttributeNames {
	name: string;
	label?: string;
}

const titlePrefix = 'Attribute: ';

/** The title of an attribute in the mapper. The panel cuts long titles, so a name that the label spells out is left out. */
export function attributeTitle({ name, label }: AttributeNames): string {
	const isSpelledOut = !label || label.toLowerCase().replaceAll(' ', '_') === name;
	return titlePrefix + (isSpelledOut ? label || name : `${label} (${name})`);
}

/** Name and label of an attribute, from its field in the mapper. A handwritten schema may have no titles. */
export function attributeNamesIn({
	id,
	displayName = '',
}: Pick<ResourceMapperField, 'id'> & Partial<ResourceMapperField>): AttributeNames {
	const name = bareName(id);
	const title = displayName.startsWith(titlePrefix)
		? displayName.slice(titlePrefix.length)
		: displayName;
	const ending = ` (${name})`;
	return { name, label: title.endsWith(ending) ? title.slice(0, -ending.length) : title };
}
