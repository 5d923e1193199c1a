import { addTo } from '../../values/list';
import { differenceOf } from './change';
import { type Contact, normalizeEmail } from './contact';
import type { KnownContacts } from './list';
import type { ContactTask } from './task';

/** A task that sends an email. */
interface Sender {
	task: ContactTask;
	email: string;
}

/**
 * The tasks whose email another contact has and keeps, with that contact: the service refuses them, unless its list shows
 * that contacts can share an email. Updates that are refused give up no email, so others can be refused because of them.
 */
export function findRefusedEmails(
	tasks: ContactTask[],
	known: KnownContacts,
): Map<ContactTask, Contact> {
	const refused = new Map<ContactTask, Contact>();
	if (!known.isWhole || known.hasSharedEmails) return refused;

	const senders = tasks.flatMap(senderOf);
	const leaving = new Map(senders.map(({ task }) => [task.existing, task]));
	const byEmail = new Map<string, ContactTask[]>();
	senders.forEach(({ task, email }) => addTo(byEmail, email, task));

	/** Refuses all others that want the email of a contact that keeps it. */
	const keep = (holder: Contact) => {
		const email = normalizeEmail(holder.email) ?? '';
		const others = byEmail.get(email) ?? [];
		return others.filter((task) => task.existing !== holder && !refused.has(task));
	};

	const keepers = senders
		.flatMap(({ email }) => known.withEmail(email))
		.filter((holder) => !leaving.has(holder));
	for (let holder = keepers.pop(); holder; holder = keepers.pop()) {
		for (const task of keep(holder)) {
			refused.set(task, holder);
			if (task.existing) keepers.push(task.existing);
		}
	}
	return refused;
}

function senderOf(task: ContactTask): Sender[] {
	const { existing, wanted, settings } = task;
	const values = existing ? differenceOf(existing, wanted, settings).sent : wanted.values;
	// Clearing an email gives it up, too.
	return values.has('email')
		? [{ task, email: normalizeEmail(values.get('email')) ?? '' }]
		: [];
}
