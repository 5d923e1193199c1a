/** Two chatbots, and how the service returns them. */
import type { SimulatedService } from '../../../service';

const moment = '2026-07-01T12:00:00.000Z';

/** Makes both chatbots the only ones, at a moment that the records name. */
export function addTwoChatbots({ clock, store }: SimulatedService): void {
	clock.set(moment);
	store.chatbots.clear();
	store.addChatbot({ id: 'one', name: 'First', styles: { theme: 'dark' } });
	store.addChatbot({ id: 'two', name: 'Second', instructions: 'Sell.', visibility: 'public' });
}

const rest = {
	status: 'trained',
	model: 'gpt-4o-mini',
	last_message_at: null,
	last_trained_at: moment,
	created_at: moment,
	updated_at: moment,
};
/** The first chatbot, simplified. */
export const first = {
	...rest,
	id: 'one',
	name: 'First',
	visibility: 'private',
	instructions: 'Answer politely and briefly.',
};
/** The second chatbot, simplified. */
export const second = {
	...rest,
	id: 'two',
	name: 'Second',
	visibility: 'public',
	instructions: 'Sell.',
};
/** The first chatbot, not simplified. */
export const rawFirst = { ...first, temp: 0, num_of_characters: 0, styles: { theme: 'dark' } };
