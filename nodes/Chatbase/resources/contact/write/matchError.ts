import type { NodeOperationError } from 'n8n-workflow';

import type { InputItem } from '../../../execution/item';
import { externalIdOf } from '../plan/contact';
import type { Match, MatchRefusal } from '../plan/match';

const texts: Record<MatchRefusal, [title: string, nextStep: string]> = {
	nobodyHasAddress: [
		'No contact has this Email, and External ID is empty',
		'To create a contact, map External ID to the ID that it has in your own system.',
	],
	listNotWhole: [
		'The contact list could not be read completely',
		'It changed while the node looked for this Email, so nobody can tell whose it is. Run the node again at a quieter time.',
	],
	severalHaveAddress: [
		'Several contacts have this Email',
		'Nobody can tell which of them is meant. Map External ID, which belongs to one contact only.',
	],
	holderHasNoId: [
		'The contact with this Email has no External ID',
		'The service changes contacts by their External ID only, and this one has none that could be sent. Give it one in the dashboard.',
	],
	addressIsClaimed: [
		'Another item with this Email has failed',
		'Nobody can tell which of the two the contact with this Email belongs to. Correct the other item first.',
	],
	holderIsNamed: [
		'The contact with this Email is the one of another item',
		'Another item of the input names it by its External ID. Map External ID for this item too, or leave one of the two out.',
	],
};

/** The error for an item whose contact cannot be told. */
export function matchError(
	item: InputItem,
	{ reason, holder }: Extract<Match, { kind: 'refused' }>,
): NodeOperationError {
	const [title, nextStep] = texts[reason];
	const id = holder && externalIdOf(holder);
	return item.refusal(title, id ? `${nextStep} Its External ID is "${id}".` : nextStep);
}
