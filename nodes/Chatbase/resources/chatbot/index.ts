import type { INodeProperties } from 'n8n-workflow';

import { chatbotField } from '../../fields/locators';
import { routed } from '../../transport/operation';
import { chatbotCreateFields, createChatbot } from './create';
import { deleteByPath } from './delete';
import { chatbotGetFields, getChatbot } from './get';
import { chatbotGetAllFields, getAllChatbots } from './getAll';
import { chatbotUpdateFields, updateChatbot } from './update';
import { chatbotUploadFields, uploadImage } from './uploadImage';

export const chatbotOperations: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: ['chatbot'] } },
	default: 'getAll',
	options: [
		{
			name: 'Create',
			value: 'create',
			action: 'Create chatbot',
			description: 'Set up a new chatbot, with text to train it if you like',
			routing: routed('POST', '/create-chatbot', createChatbot),
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete chatbot permanently',
			description:
				'Remove a chatbot for good, with everything that belongs to it. This cannot be undone.',
			routing: routed('DELETE', '/delete-chatbot', deleteByPath),
		},
		{
			name: 'Delete Icon',
			value: 'deleteIcon',
			action: 'Delete icon of chatbot',
			description: 'Go back to the standard picture on the chat button',
			routing: routed('DELETE', '/delete-chatbot-icon', deleteByPath),
		},
		{
			name: 'Delete Profile Picture',
			value: 'deleteProfilePicture',
			action: 'Delete profile picture of chatbot',
			description: 'Go back to the standard picture beside the messages',
			routing: routed('DELETE', '/delete-chatbot-profile-picture', deleteByPath),
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get chatbot',
			description: 'Read one chatbot by its ID',
			routing: routed('GET', '/get-chatbots', getChatbot),
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many chatbots',
			description: 'List the chatbots of the workspace that the API key belongs to',
			routing: routed('GET', '/get-chatbots', getAllChatbots),
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update chatbot',
			description:
				'Rename a chatbot or train it with new text. Everything else is under Chatbot Settings.',
			routing: routed('POST', '/update-chatbot-data', updateChatbot),
		},
		{
			name: 'Upload Icon',
			value: 'uploadIcon',
			action: 'Upload icon of chatbot',
			description: 'Set the picture on the chat button, from a file of the input item',
			routing: routed('POST', '/upload-chatbot-icon', uploadImage('chatbotIconFile')),
		},
		{
			name: 'Upload Profile Picture',
			value: 'uploadProfilePicture',
			action: 'Upload profile picture of chatbot',
			description: 'Set the picture beside the messages, from a file of the input item',
			routing: routed('POST', '/upload-chatbot-profile-picture', uploadImage('profilePictureFile')),
		},
	],
};

export const chatbotFields: INodeProperties[] = [
	chatbotField({
		show: {
			resource: ['chatbot'],
			operation: [
				'delete',
				'deleteIcon',
				'deleteProfilePicture',
				'get',
				'update',
				'uploadIcon',
				'uploadProfilePicture',
			],
		},
	}),
	...chatbotCreateFields,
	...chatbotGetFields,
	...chatbotGetAllFields,
	...chatbotUpdateFields,
	...chatbotUploadFields,
];
