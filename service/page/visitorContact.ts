/** The contact of a visitor for whom a website vouches. Public pages. */
import { contactChanges } from '../v1/contactRecord';
import { ContactWrites } from '../v1/contactWrites';
import type { Context } from '../v1/context';
import type { Chatbot } from '../core/store';
import type { VerifiedToken } from './token';

/** Creates or updates the contact of a visitor: what the token lacks stays, and null clears. */
export function writeVisitor(visitor: VerifiedToken, chatbot: Chatbot, context: Context): void {
	const { contacts } = chatbot;
	const { userId, payload } = visitor;
	const { name, email, phonenumber, custom_attributes, stripe_accounts } = payload;
	const sent = { name, email, phonenumber, custom_attributes, stripe_accounts };

	const behaviour = {
		...context.behaviour,
		nullInWrite: 'clears',
		attributesOnPatch: 'merge',
	} as const;
	const changes = contactChanges(withoutAbsent(sent), { chatbot, behaviour });

	const writes = new ContactWrites({ ...context, behaviour });
	const known = contacts.find(userId);
	if (known) writes.update(known, changes, contacts);
	else writes.create({ ...changes, external_id: userId }, contacts);
}

function withoutAbsent(values: object): object {
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
