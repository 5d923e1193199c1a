import type { IDataObject } from 'n8n-workflow';

import { type ListSearch, matching } from '../../panel/listSearch';
import { locator } from '../../panel/locators';
import { panelClient, requireChatbot } from '../../panel/panelClient';
import { asObjects } from '../../values/json';

const searchTeams = helpdeskSearch('teams', ({ name }) => String(name));
export const searchTicketStatuses = helpdeskSearch(
	'ticket-statuses',
	({ internalLabel, externalLabel, category }) => {
		const label = String(internalLabel || externalLabel);
		const isCategory = label.toLowerCase().replaceAll(' ', '_') === category;
		return isCategory ? label : `${label} (${String(category)})`;
	},
);

/** The API returns records of the helpdesk without an envelope. */
function helpdeskSearch(
	what: string,
	nameOf: (record: IDataObject) => string,
): ListSearch {
	return async function (filter) {
		const params = { chatbotId: requireChatbot(this) };
		const api = await panelClient(this);
		const path = `/agents/{chatbotId}/helpdesk/${what}`;
		const response = await api.send({
			method: 'GET',
			path,
			resource: 'agentTickets',
			params,
		});

		const records = response.outcome ? undefined : asObjects(response.body);
		if (!records) throw api.failure(response);

		const choices = records.map((record) => ({
			name: nameOf(record),
			value: String(record.id),
		}));
		return matching(choices, filter);
	};
}

export const teamLocator = locator({ searchTeams }, 'a team', {
	placeholder: 'e.g. 7c1d2e3f-4a5b-4c6d-8e7f-9a0b1c2d3e4f',
	hint: 'Tickets have it as teamId',
});
