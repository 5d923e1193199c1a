import type { ContactEvent } from './contactSource';

/** What the trigger can react to. */
export type TriggerEvent = ContactEvent | 'conversationStarted' | 'leadCreated';

/** Events that an update of a contact can cause. */
export const updateEvents: ContactEvent[] = ['contactUpdated', 'contactCreatedOrUpdated'];

/** Events about contacts. */
export const contactEvents: ContactEvent[] = ['contactCreated', ...updateEvents];

/** Events about what the service lists by day. */
const dayEvents: TriggerEvent[] = ['conversationStarted', 'leadCreated'];

/** Names what is watched, in what the trigger remembers. */
export function subjectOf(event: TriggerEvent, chatbotId: string): string {
	return `${event} ${chatbotId}`;
}

/** Whether something names what is watched. */
export function isSubject(value: unknown): boolean {
	if (typeof value !== 'string') return false;
	return [...contactEvents, ...dayEvents].some((event) => value.startsWith(subjectOf(event, '')));
}
