import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { failureOf } from '../../api/failure';
import { confirmedResult, repeatUntil } from '../../api/unknownOutcome';
import { chatbotField } from '../../chatbots/chatbots';
import { nothingToUpdate, updateFieldsField } from '../../panel/collections';
import { toolNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { readOutput } from '../../panel/output';
import { capitalize } from '../../values/text';
import {
	assignmentIn,
	readTicket,
	simplifiedTicket,
	ticketField,
	ticketIn,
	ticketOutputFields,
	ticketPath,
} from './tickets';

/** The label of a field, such as "Status" for `statusCategory`. */
const ticketFieldLabel = (field: string) =>
	capitalize(field.replace(/(Id|Category|Email)$/, ''));

const mayBeUpdated =
	'The update may have been done, as a whole or in part. Check the ticket before you run again.';

const changedFields = assignmentIn('updateFields');

export const update = operation({
	value: 'update',
	description:
		'Change status, assignee, team or priority of a ticket. May need a higher plan.',
	request: { method: 'PATCH', path: ticketPath, resource: 'agentTicket' },
	fields: [
		chatbotField,
		toolNotice(
			'The agent can change and close any ticket. Choose the ticket yourself, or add a human review step.',
		),
		ticketField,
		updateFieldsField(changedFields.fields),
		...ticketOutputFields,
	],

	read(item) {
		const body = changedFields.read(item);
		if (Object.keys(body).length === 0) {
			throw nothingToUpdate(item, 'Add at least one field under Update Fields.');
		}
		return {
			name: ticketField.read(item),
			body,
			output: readOutput(item, simplifiedTicket),
		};
	},

	sequenceKeys: ({ name }) => [JSON.stringify(name)],

	async send({ item, params, api }) {
		const { name, body, output } = params;
		const response = await api.send({
			...item.request,
			params: name,
			body,
			// The service writes one field after the other, so a part may be done.
			repeatable: 'unlessReceived',
		});
		const answer = confirmedResult(api, response, ticketIn(name.ticketNumber));

		const look = async () => await readTicket(api, name);
		const isDone = (found: IDataObject) => compareTicket(found, body).open === '';
		const ticket = answer ?? (await lookUntil(api, look, isDone));
		const { done, open, unseen } = compareTicket(ticket, body);

		if (answer && open) {
			item.context.warn(
				`The service returned ticket ${name.ticketNumber} without the new ${open}.`,
			);
		}
		if (answer || !(open || unseen)) return [output(ticket)];

		const sentences = [
			`In ticket ${name.ticketNumber}, changed: ${done || 'nothing'}.`,
			open && `Not changed: ${open}.`,
			unseen &&
				`Not certain: ${unseen}, because a ticket does not show the email of its assignee.`,
		];
		throw api.failure(response).and(sentences.filter(Boolean).join(' '));
	},
});

/** Looks repeatedly, for as long as a response may take. */
async function lookUntil(
	api: ApiClient,
	look: () => Promise<IDataObject>,
	isDone: (found: IDataObject) => boolean,
): Promise<IDataObject> {
	try {
		return await repeatUntil(api, api.timeoutOf({}), look, isDone);
	} catch (error) {
		throw failureOf(error).with({ written: 'unknown' }).and(mayBeUpdated);
	}
}

/** Compares a ticket with the wanted changes. Returns the labels of the changes that it has, lacks, and does not show. */
function compareTicket(ticket: IDataObject, wanted: IDataObject) {
	const text = (value: unknown) => String(value ?? '').toLowerCase();
	const stateOf = (field: string) => {
		if (field === 'assigneeEmail' && ticket.assigneeId) return 'unseen';
		return text(ticket[field]) === text(wanted[field]) ? 'done' : 'open';
	};
	const labelsOf = (state: string) => {
		const fields = Object.keys(wanted).filter((field) => stateOf(field) === state);
		return fields.map(ticketFieldLabel).join(', ');
	};
	return { done: labelsOf('done'), open: labelsOf('open'), unseen: labelsOf('unseen') };
}
