import { addTo } from '../../../values/list';
import { normalizeEmail } from '../../../values/text';
import { type Contact } from './contactRecord';
import type { KnownContacts } from './knownContacts';
import type { Step } from './steps';
import type { Wish } from './wantedContact';

/** A step that sends an email, or clears it. */
interface EmailChange {
	readonly wish: Wish;
	/** Undefined for a new contact. */
	readonly contact?: Contact;
	readonly email: string;
}

/**
 * Finds the wishes whose email another contact has and keeps, and names that contact. The service refuses such wishes, unless
 * its list shows that contacts can share an email. An update that is refused keeps its old email, so further wishes can be
 * refused because of it. Contacts that exchange their emails wait for each other, so they are refused, too.
 */
export function findRefusedEmails(
	steps: readonly Step[],
	known: KnownContacts,
): ReadonlyMap<Wish, Contact> {
	const refused = new Map<Wish, Contact>();
	if (!known.coversAllContacts || known.hasSharedEmails) return refused;

	const byEmail = new Map<string, EmailChange[]>();
	for (const change of steps.flatMap(emailChangeOf)) {
		addTo(byEmail, change.email, change);
		const [holder] = known.withEmail(change.email);
		if (holder) refused.set(change.wish, holder);
	}

	// Each accepted update gives up an email, which lets others be accepted.
	const free = [...byEmail.keys()].filter((email) => !known.withEmail(email).length);
	for (let email = free.pop(); email !== undefined; email = free.pop()) {
		for (const { wish, contact } of byEmail.get(email) ?? []) {
			refused.delete(wish);
			const givenUp = normalizeEmail(contact?.email);
			if (givenUp !== undefined) free.push(givenUp);
		}
	}
	return refused;
}

function emailChangeOf(step: Step): EmailChange[] {
	if (step.kind !== 'create' && step.kind !== 'update') return [];
	const sent = step.kind === 'create' ? step.sent : step.change.sent;
	if (!sent.has('email')) return [];

	const contact = step.kind === 'update' ? step.contact.record : undefined;
	const email = normalizeEmail(sent.get('email')) ?? '';
	return [{ wish: step.wish, contact, email }];
}
