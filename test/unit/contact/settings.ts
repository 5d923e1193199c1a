import type { WriteSettings } from '../../../nodes/Chatbase/resources/contact/plan/wantedContact';

/** The settings of an item with nothing chosen. */
export const settings: WriteSettings = {
	chatbotId: 'bot',
	matchBy: 'externalId',
	onlyIfEmpty: [],
	onDroppedFields: 'warn',
	emptyValues: 'ignore',
	dryRun: false,
};
