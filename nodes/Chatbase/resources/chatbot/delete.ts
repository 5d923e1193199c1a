import { confirmsDeletion } from '../../api/response';
import type { InputItem } from '../../execution/item';
import type { ReadyItem } from '../../execution/run';
import { notice, operation, optionsField, shownInTool, toolNotice } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/values';

const options = optionsField([maxConcurrencyOption]);

const pictureNotice = toolNotice(
	'An agent can delete this picture with this tool. The service keeps no copy of it.',
);

/** The three operations differ in their path alone. */
const deletion = {
	read: (item: InputItem) => readId(item, 'chatbotId', 'Chatbot'),

	async send({ item, params: chatbotId, api }: ReadyItem<string>) {
		const response = await api.send({ ...item.request, qs: { chatbotId }, resource: 'chatbot' });
		// An earlier attempt may have deleted it without its response reaching us.
		if (response.mayHaveRun && response.outcome === '404') return [{ deleted: true }];
		if (response.outcome) throw api.failure(response);
		if (!confirmsDeletion(response)) throw api.unexpected(response);
		return [{ deleted: true }];
	},
};

export const deleteChatbot = operation({
	value: 'delete',
	name: 'Delete',
	action: 'Delete chatbot',
	description:
		'Remove a chatbot for good, with everything that belongs to it. This cannot be undone.',
	request: { method: 'DELETE', path: '/delete-chatbot' },
	fields: [
		chatbotField,
		toolNotice(
			'An agent can delete a chatbot permanently with this tool, with everything that belongs to it. Choose the chatbot yourself rather than let the model name it.',
		),
		notice(
			'deleteNotice',
			'The chatbot is deleted permanently, with everything that belongs to it. The API cannot bring it back.',
			shownInTool(false).displayOptions,
		),
		options,
	],
	...deletion,
});

export const deleteIcon = operation({
	value: 'deleteIcon',
	name: 'Delete Icon',
	action: 'Delete chatbot icon',
	description:
		'Go back to the standard picture on the chat button. The service keeps no copy of yours.',
	request: { method: 'DELETE', path: '/delete-chatbot-icon' },
	fields: [chatbotField, pictureNotice, options],
	...deletion,
});

export const deleteProfilePicture = operation({
	value: 'deleteProfilePicture',
	name: 'Delete Profile Picture',
	action: 'Delete chatbot profile picture',
	description:
		'Go back to the standard picture beside the messages. The service keeps no copy of yours.',
	request: { method: 'DELETE', path: '/delete-chatbot-profile-picture' },
	fields: [chatbotField, pictureNotice, options],
	...deletion,
});
