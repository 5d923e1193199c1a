/** Creates and updates contacts. Contract; the creation: public pages. */
import type { Behaviour } from './behaviour';
import type { Contact, ContactBook } from '../core/contactBook';
import { attributesAfter, contactChanges, type ContactChanges } from './contactRecord';
import { Refusal } from '../core/refusal';
import type { Chatbot, Store } from '../core/store';
import type { Context } from './context';

/** What writing works with. */
type Writing = Pick<Context, 'behaviour' | 'store'>;

export class ContactWrites {
	private readonly behaviour: Behaviour;
	private readonly store: Store;

	constructor({ behaviour, store }: Writing) {
		this.behaviour = behaviour;
		this.store = store;
	}

	/** Creates in the order sent. What a refusal leaves of the others depends on a switch. */
	createAll(users: object[], chatbot: Chatbot): Contact[] {
		const { refusedBatch } = this.behaviour;
		const undo: Array<() => void> = [];
		const created: Contact[] = [];
		let refusal: unknown;

		for (const [index, user] of users.entries()) {
			try {
				const prefix = `users.${index}.`;
				const changes = contactChanges(user, { chatbot, behaviour: this.behaviour, prefix });
				created.push(this.createOne(changes, chatbot.contacts, undo));
			} catch (error) {
				refusal ??= error;
				if (refusedBatch !== 'leavesGoodOnes') break;
			}
		}
		if (refusal === undefined) return created;

		if (refusedBatch === 'leavesNothing') undo.reverse().forEach((step) => step());
		throw refusal;
	}

	private createOne(
		changes: ContactChanges,
		contacts: ContactBook,
		undo: Array<() => void>,
	): Contact {
		if (this.behaviour.nulInText === 'serverError' && changes.name?.includes('\0')) {
			throw new Refusal(500, 'invalid byte sequence for encoding "UTF8": 0x00');
		}

		const existing = contacts.find(changes.external_id ?? '');
		if (!existing || !this.behaviour.createComparesIds) {
			const contact = this.create(changes, contacts);
			undo.push(() => contacts.remove(contact));
			return contact;
		}

		if (this.behaviour.createExisting === 'conflict') {
			throw new Refusal(409, 'External ID already exists');
		}

		const before = { ...existing };
		undo.push(() => contacts.change(existing, before));
		return this.update(existing, changes, contacts);
	}

	create({ custom_attributes, ...fields }: ContactChanges, contacts: ContactBook): Contact {
		this.refuseTaken(contacts, fields);
		if (contacts.size >= this.behaviour.maximumContacts) {
			throw new Refusal(400, 'The maximum contacts limit has been reached');
		}

		return contacts.add(
			this.store.newContact({
				...fields,
				custom_attributes: attributesAfter({}, custom_attributes ?? {}, 'merge'),
			}),
		);
	}

	update(
		contact: Contact,
		{ custom_attributes, ...fields }: ContactChanges,
		contacts: ContactBook,
	): Contact {
		const { external_id } = fields;
		const isTaken =
			external_id !== undefined &&
			external_id !== contact.external_id &&
			contacts.find(external_id) !== undefined;
		if (isTaken) throw new Refusal(409, 'External ID already exists');
		this.refuseTaken(contacts, fields, contact);

		return contacts.change(contact, {
			...fields,
			...(custom_attributes !== undefined && {
				custom_attributes: attributesAfter(
					contact.custom_attributes,
					custom_attributes,
					this.behaviour.attributesOnPatch,
				),
			}),
			// The contract says that the time changes, even when two updates fall into one second.
			updated_at: Math.max(this.store.clock.seconds(), contact.updated_at + 1),
		});
	}

	private refuseTaken(
		contacts: ContactBook,
		{ email, phonenumber }: ContactChanges,
		owner?: Contact,
	): void {
		if (this.behaviour.emailUnique && contacts.isTaken(email, owner)) {
			throw new Refusal(409, 'Email already exists');
		}
		if (this.behaviour.phoneUnique && contacts.isPhoneTaken(phonenumber, owner)) {
			throw new Refusal(409, 'Phone number already exists');
		}
	}
}
