/** The contacts in the service before the run of a property. */
import type { SimulatedService } from '../../../service';

/** The fields and custom attributes of a random contact besides its External ID. Null is no value. */
export type Person = { name: string | null; email: string | null } & Record<
	string,
	string | number | boolean | null
>;

/**
 * Adds contacts to the chatbot `bot`. If emails are unique, the first contact gets a duplicate one.
 *
 * @param people their values by External ID
 */
export function settle({ behaviour, store }: SimulatedService, people: Array<[string, Person]>) {
	const taken = new Set<string>();
	for (const [external_id, { name, email, ...attributes }] of people) {
		const isFree = email !== null && (!behaviour.emailUnique || !taken.has(email));
		if (isFree) taken.add(email);
		store.addContact('bot', {
			external_id,
			name,
			email: isFree ? email : null,
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
