import { droppedFrom } from '../plan/change';
import type { Contact } from '../plan/contact';
import { externalIdOf } from '../plan/contact';
import type { ReservedIdentities, KnownContacts, Match } from '../plan/match';
import { matchOf } from '../plan/match';
import { recordOf } from '../plan/record';
import type { Entry } from './entries';
import { writableUnits } from './entries';
import { matchError } from './matchError';
import type { ContactUnit, UnitUpdate } from './unitWriter';
import { assertNoneDropped } from './unitWriter';

/** What is to be written of a chatbot. */
export interface PlannedUnits {
	updates: UnitUpdate[];
	creations: ContactUnit[];
}

/**
 * Decides for each item whether its contact exists. Items for which nobody can tell, and items that contradict each
 * other, fail.
 *
 * @param entries the items of one chatbot
 * @param known the contacts that were found for them
 * @param claims what all items of the run claim
 * @param isLeftAlone whether a contact is nobody's business in this run; its item is answered so
 */
export function planUnits(
	entries: Entry[],
	known: KnownContacts,
	claims: ReservedIdentities,
	isLeftAlone: (contact: Contact) => boolean = () => false,
): PlannedUnits {
	const matches = new Map<Entry, Match>();
	const writable = entries.filter((entry) => {
		const { open, claim, wanted } = entry;
		const match = matchOf(claim, known, claims);
		matches.set(entry, match);
		if (match.kind === 'refused') {
			open.fail(matchError(open.item, match));
			return false;
		}
		const contact = match.kind === 'existing' ? match.contact : {};
		if (isLeftAlone(contact)) {
			open.succeed([
				recordOf({ contact, action: 'unmanaged', changed: [], kept: [], dropped: [] }),
			]);
			return false;
		}
		if (open.params.settings.onDroppedFields !== 'error') return true;
		try {
			assertNoneDropped(open.item, droppedFrom({}, wanted.unknown, contact), false);
			return true;
		} catch (error) {
			open.fail(error);
			return false;
		}
	});
	// Two items can turn out to be about one contact by its e-mail address.
	const units = writableUnits(writable, (entry) => {
		const match = matches.get(entry)!;
		return match.kind === 'existing'
			? `contact ${externalIdOf(match.contact)}`
			: `new ${entry.claim.id}`;
	});
	const updates: UnitUpdate[] = [];
	const creations = units.filter((unit) => {
		const match = matches.get(unit.items[0])!;
		if (match.kind !== 'existing') return true;
		updates.push({ unit, existing: match.contact });
		return false;
	});
	return { updates, creations };
}
