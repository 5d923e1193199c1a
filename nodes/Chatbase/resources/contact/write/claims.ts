import { resolveValue } from '../../../execution/expression';
import type { InputItem } from '../../../execution/item';
import type { Run } from '../../../execution/operation';
import { text } from '../../../fields/values';
import { readJsonObject } from '../../../fields/read';
import { isObject, ownValue } from '../../../values/object';
import type { WriteTask } from '../input/writeTask';
import { normalizeEmail } from '../plan/contact';
import type { ReservedIdentities } from '../plan/match';
import type { Entry } from './entries';

/**
 * The External IDs that items name which were refused: nobody else may be given their contacts.
 *
 * @param items the items that were refused
 */
export function namedBy(items: InputItem[]): string[] {
	return items.flatMap((item) => namesIn(item, 'external_id'));
}

/**
 * What the items of one chatbot claim, those that were refused included, whichever chatbot they were for.
 *
 * @param run the run
 * @param entries the items of the run that are valid
 * @param ofChatbot those of them that are for the chatbot
 * @param writable those of them that do not contradict each other
 */
export function claimsOf<Task extends WriteTask>(
	run: Run<Task>,
	entries: Array<Entry<Task>>,
	ofChatbot: Array<Entry<Task>>,
	writable: Array<Entry<Task>>,
): ReservedIdentities {
	const valid = new Set(entries.map(({ open }) => open.item));
	const isWritable = new Set(writable);
	const refused = [...run.refused, ...run.items.map(({ item }) => item)].filter(
		(item) => !valid.has(item),
	);
	const contradicting = ofChatbot.filter((entry) => !isWritable.has(entry));
	return {
		ids: new Set([...namedBy(refused), ...ofChatbot.flatMap(({ claim }) => claim.id ?? [])]),
		failedAddresses: new Set([
			...refused.flatMap((item) =>
				namesIn(item, 'email').flatMap((email) => normalizeEmail(email) ?? []),
			),
			...contradicting.flatMap(({ claim }) => claim.address ?? []),
		]),
	};
}

/** What an item that could not be read has for a field, in each of the places where it can stand. */
function namesIn(item: InputItem, field: string): string[] {
	const places = [
		() => {
			const mapper = item.rawParameter('contactFields');
			if (!isObject(mapper)) return undefined;
			if (mapper.mappingMode === 'autoMapInputData') return ownValue(item.json, field);
			return isObject(mapper.value) ? resolveValue(item, ownValue(mapper.value, field)) : undefined;
		},
		() => {
			const additional = item.rawParameter('additionalFields');
			if (!isObject(additional)) return undefined;
			const extra = resolveValue(item, additional.extraFieldsJson);
			return ownValue(readJsonObject(item, extra, 'Extra Fields JSON'), field);
		},
	];
	return places.flatMap((place) => {
		try {
			return text.read(place()) || [];
		} catch {
			// What the item names is part of what could not be read.
			return [];
		}
	});
}
