import type { InputItem } from '../../../execution/item';
import type { ApiClient } from '../../../api/client';
import type { AttributeType } from '../../customAttribute/attribute';
import { attributePrefix } from '../../customAttribute/attribute';
import type { SyncSettings } from '../input/syncSettings';
import type { WriteTask } from '../input/writeTask';
import { readAttributesIfAny } from '../requests/attributes';
import type { Entry } from './entries';

/**
 * Makes sure that the attributes exist in which a sync keeps its marks: a service drops others without a word, and
 * the sync would find none of its contacts again.
 *
 * @throws NodeOperationError when one is missing, archived or of another type, or when nobody can tell
 * @throws NodeApiError when the service fails
 */
export async function assertSyncAttributes(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
	{ management, onLeft }: SyncSettings,
) {
	const needed: Array<[label: string, name: string, type: AttributeType]> = [];
	if (management.kind === 'attribute')
		needed.push(['Mark Attribute', management.attribute, 'text']);
	if (onLeft.kind === 'mark') needed.push(['Left Attribute', onLeft.attribute, 'date']);
	if (needed.length === 0) return;
	const schema = await readAttributesIfAny(api, chatbotId);
	for (const [label, name, type] of needed) {
		const attribute = schema?.find((known) => known.name === name);
		const problem = !schema
			? 'cannot be looked up, since the service has no list of its attributes'
			: !attribute
				? 'does not exist'
				: attribute.archived
					? 'is archived and takes no values'
					: attribute.type !== type && `is of the type ${attribute.type}`;
		if (!problem) continue;
		throw item.runFailure(
			`${label} cannot be used`,
			`The custom attribute "${name}" ${problem}. It has to be one of the type ${type}: create it with Custom Attribute: Create. Nothing was written.`,
		);
	}
}

/**
 * Adds the marks of a sync to what items want: that it manages the contact, and that the contact has not left. They
 * are no mention of custom attributes by the user.
 *
 * Items that set such an attribute themselves fail.
 *
 * @returns the items that do not
 */
export function setMarks<Task extends WriteTask>(
	entries: Array<Entry<Task>>,
	{ management, onLeft }: SyncSettings,
): Array<Entry<Task>> {
	const marks = new Map<string, string | null>();
	if (management.kind === 'attribute') marks.set(management.attribute, management.value);
	if (onLeft.kind === 'mark') marks.set(onLeft.attribute, null);
	return entries.filter(({ wanted, open }) => {
		const own = [...marks].find(
			([name, mark]) => wanted.attributes.has(name) && wanted.attributes.get(name) !== mark,
		);
		if (own) {
			open.fail(
				open.item.refusal(
					'An item sets an attribute that belongs to the sync',
					`"${own[0]}" is written by the sync itself. Take it out of Contact Fields and Additional Fields.`,
				),
			);
			return false;
		}
		const { settings } = open.params;
		// With no attribute mentioned there is nothing for Replace to replace.
		if (wanted.attributes.size === 0) settings.mode = 'merge';
		settings.keep = new Set(
			[...settings.keep].filter(
				(name) =>
					!marks.has(name.replace(attributePrefix, '')) || !name.startsWith(attributePrefix),
			),
		);
		marks.forEach((mark, name) => wanted.attributes.set(name, mark));
		return true;
	});
}
