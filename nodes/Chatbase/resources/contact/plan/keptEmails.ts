import { addTo } from '../../../values/list';
import { type Contact, normalizeEmail } from './contactRecord';
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
 * refused because of it.
 */
export function findRefusedEmails(
	steps: readonly Step[],
	known: KnownContacts,
): ReadonlyMap<Wish, Contact> {
	const refused = new Map<Wish, Contact>();
	if (!known.coversAllContacts || known.hasSharedEmails) return refused;

	const emailChanges = steps.flatMap(emailChangeOf);
	const leaving = new Set(emailChanges.map(({ contact }) => contact));
	const byEmail = new Map<string, EmailChange[]>();
	emailChanges.forEach((change) => addTo(byEmail, change.email, change));

	const keepers = [...byEmail.keys()]
		.flatMap((email) => known.withEmail(email))
		.filter((holder) => !leaving.has(holder));
	for (let holder = keepers.pop(); holder; holder = keepers.pop()) {
		const email = normalizeEmail(holder.email) ?? '';
		for (const { wish, contact } of byEmail.get(email) ?? []) {
			if (refused.has(wish)) continue;
			refused.set(wish, holder);
			if (contact) keepers.push(contact);
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
