import type { INodeProperties } from 'n8n-workflow';

import { runnerOf } from '../../execution/dispatch';
import { chatbotField } from '../../fields/locators';
import { chatbotCreateFields, createChatbot } from './create';
import { chatbotDeleteFields, deleteByPath } from './delete';
import { chatbotGetFields, getChatbot } from './get';
import { chatbotGetAllFields, getAllChatbots } from './getAll';
import { chatbotsPath } from './requests';
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
			routing: { request: { method: 'POST', url: '/create-chatbot' } },
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete chatbot permanently',
			description:
				'Remove a chatbot for good, with everything that belongs to it. This cannot be undone.',
			routing: { request: { method: 'DELETE', url: '/delete-chatbot' } },
		},
		{
			name: 'Delete Icon',
			value: 'deleteIcon',
			action: 'Delete icon of chatbot',
			description: 'Go back to the standard picture on the chat button',
			routing: { request: { method: 'DELETE', url: '/delete-chatbot-icon' } },
		},
		{
			name: 'Delete Profile Picture',
			value: 'deleteProfilePicture',
			action: 'Delete profile picture of chatbot',
			description: 'Go back to the standard picture beside the messages',
			routing: { request: { method: 'DELETE', url: '/delete-chatbot-profile-picture' } },
		},
		{
			name: 'Get',
			value: 'get',
			action: 'Get chatbot',
			description: 'Read one chatbot by its ID',
			routing: { request: { method: 'GET', url: chatbotsPath } },
		},
		{
			name: 'Get Many',
			value: 'getAll',
			action: 'Get many chatbots',
			description: 'List the chatbots of the workspace that the API key belongs to',
			routing: { request: { method: 'GET', url: chatbotsPath } },
		},
		{
			name: 'Update',
			value: 'update',
			action: 'Update chatbot',
			description:
				'Rename a chatbot or train it with new text. Everything else is under Chatbot Settings.',
			routing: { request: { method: 'POST', url: '/update-chatbot-data' } },
		},
		{
			name: 'Upload Icon',
			value: 'uploadIcon',
			action: 'Upload icon of chatbot',
			description: 'Set the picture on the chat button, from a file of the input item',
			routing: { request: { method: 'POST', url: '/upload-chatbot-icon' } },
		},
		{
			name: 'Upload Profile Picture',
			value: 'uploadProfilePicture',
			action: 'Upload profile picture of chatbot',
			description: 'Set the picture beside the messages, from a file of the input item',
			routing: { request: { method: 'POST', url: '/upload-chatbot-profile-picture' } },
		},
	],
};

export const chatbotRunners = {
	create: runnerOf(createChatbot),
	delete: runnerOf(deleteByPath),
	deleteIcon: runnerOf(deleteByPath),
	deleteProfilePicture: runnerOf(deleteByPath),
	get: runnerOf(getChatbot),
	getAll: runnerOf(getAllChatbots),
	update: runnerOf(updateChatbot),
	uploadIcon: runnerOf(uploadImage('chatbotIconFile')),
	uploadProfilePicture: runnerOf(uploadImage('profilePictureFile')),
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
	...chatbotDeleteFields,
	...chatbotGetFields,
	...chatbotGetAllFields,
	...chatbotUpdateFields,
	...chatbotUploadFields,
];
