/** The contacts in the service before the run of a property. */
import type { SimulatedService } from '../../../service';
import { e164Of } from '../../../service/core/phone';

/** The fields and custom attributes of a random contact besides its External ID. Null is no value. */
export type Person = Record<'name' | 'email' | 'phonenumber', string | null> &
	Record<string, string | number | boolean | null>;

/**
 * Adds contacts to the chatbot `bot`. If emails or phone numbers are unique, the first contact gets a duplicate one.
 *
 * @param people their values by External ID
 */
export function settle({ behaviour, store }: SimulatedService, people: Array<[string, Person]>) {
	const taken = new Set<string>();
	const take = (value: string | null, key: string | null, isUnique: boolean) => {
		if (key === null || (isUnique && taken.has(key))) return null;
		taken.add(key);
		return value;
	};

	for (const [external_id, { name, email, phonenumber, ...attributes }] of people) {
		store.addContact('bot', {
			external_id,
			name,
			email: take(email, email, behaviour.emailUnique),
			phonenumber: take(phonenumber, phonenumber && e164Of(phonenumber), behaviour.phoneUnique),
			custom_attributes: Object.fromEntries(
				Object.entries(attributes).filter(([, value]) => value !== null),
			) as never,
		});
	}
}

/** A custom attribute as the mapper of the node stores it among its fields. */
export function attributeField(name: string, type: string, choices?: unknown) {
	return {
		id: `custom_attributes.${name}`,
		displayName: name,
		type,
		required: false,
		defaultMatch: false,
		display: true,
		...(choices !== undefined && { options: choices }),
	};
}
