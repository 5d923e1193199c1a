import { groupBy } from '../../../values/list';
import { normalizeEmail } from '../../../values/clean';
import { type Contact } from './contactRecord';
import type { KnownContacts } from './knownContacts';
import type { Step } from './steps';
import type { Wish } from './wantedContact';

const noEmail = '';

/** A step that sends an email, or clears it. */
interface EmailChange {
	readonly wish: Wish;
	/** Undefined for a new contact. */
	readonly contact?: Contact;
	/** In the form for comparisons. */
	readonly email: string;
	readonly text: unknown;
}

/**
 * Finds the wishes whose email another contact has and keeps, or gets in this run, and names that contact. The service refuses
 * such wishes, unless its list shows that contacts can share an email. An update that is refused keeps its old email, so
 * further wishes can be refused because of it. Contacts that exchange their emails wait for each other, so they are refused,
 * too.
 */
export function findRefusedEmails(
	steps: readonly Step[],
	known: KnownContacts,
): ReadonlyMap<Wish, Contact> {
	const refused = new Map<Wish, Contact>();
	if (!known.coversAllContacts || known.hasSharedEmails) return refused;

	const changes = steps.flatMap(emailChangeOf);
	const byEmail = groupBy(changes, ({ email }) => email);
	// Emails that are cleared never collide.
	const clearing = byEmail.get(noEmail) ?? [];
	byEmail.delete(noEmail);

	const free = clearing.flatMap(({ contact }) => normalizeEmail(contact?.email) ?? []);
	for (const [email, wanting] of byEmail) {
		const [holder] = known.withEmail(email);
		if (!holder) free.push(email);
		else wanting.forEach(({ wish }) => refused.set(wish, holder));
	}

	// The first wish for a free email gets it. An accepted update gives up its old email, which others can get then.
	for (let email = free.pop(); email !== undefined; email = free.pop()) {
		// A service may tell emails apart that differ in case.
		const takers = new Map<unknown, Contact>();

		for (const { wish, contact, text } of byEmail.get(email) ?? []) {
			const taker = takers.get(text);
			if (taker) {
				refused.set(wish, taker);
				continue;
			}

			refused.delete(wish);
			takers.set(text, contact ?? { external_id: wish.key.id });
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
	const text = sent.get('email');
	const email = normalizeEmail(text) ?? noEmail;
	return [{ wish: step.wish, contact, email, text }];
}
