import type { ContactEvent } from './contactSource';

/** What the trigger can react to. */
export type TriggerEvent = ContactEvent | 'conversationStarted' | 'leadCreated';

/** Events that an update of a contact can cause. */
export const updateEvents: ContactEvent[] = ['contactUpdated', 'contactCreatedOrUpdated'];

/** Events about contacts. */
export const contactEvents: ContactEvent[] = ['contactCreated', ...updateEvents];
