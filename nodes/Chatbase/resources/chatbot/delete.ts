import { assertDeleted } from '../../api/unknownOutcome';
import { deletionNotice, notice, shownInTool, toolNotice } from '../../panel/notices';
import { type Definition, operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';

const pictureNotice = toolNotice(
	'The agent can delete the picture, and Chatbase keeps no copy. To approve each call, add a human review step.',
);

const noCopyNotice = notice(
	'deleteNotice',
	'Chatbase keeps no copy of the picture. Keep the file if you may need it again.',
	shownInTool(false).displayOptions,
);

function deletion(definition: Omit<Definition<string>, 'read' | 'send'>) {
	return operation({
		...definition,

		read: chatbotField.read,

		async send({ item, params: chatbotId, api }) {
			const response = await api.send({ ...item.request, qs: { chatbotId } });
			assertDeleted(api, response);
			return [{ deleted: true }];
		},
	});
}

export const deleteChatbot = deletion({
	value: 'delete',
	description: 'Delete a chatbot and everything that belongs to it',
	request: { method: 'DELETE', path: '/delete-chatbot', resource: 'chatbot' },
	fields: [
		deletionNotice('chatbot', 'chatbotId'),
		chatbotField,
		notice(
			'deleteNotice',
			'Deletion is permanent. The API has no way to restore a chatbot.',
		),
	],
});

export const deleteIcon = deletion({
	value: 'deleteIcon',
	action: 'Delete chatbot icon',
	description: 'Restore the default icon of the chat button',
	request: { method: 'DELETE', path: '/delete-chatbot-icon', resource: 'chatbot' },
	fields: [chatbotField, noCopyNotice, pictureNotice],
});

export const deleteProfilePicture = deletion({
	value: 'deleteProfilePicture',
	action: 'Delete chatbot profile picture',
	description: 'Restore the default picture beside the messages',
	request: {
		method: 'DELETE',
		path: '/delete-chatbot-profile-picture',
		resource: 'chatbot',
	},
	fields: [chatbotField, noCopyNotice, pictureNotice],
});
