import type { INodeProperties } from 'n8n-workflow';

import { chatbotField } from '../../fields/locators';
import { toolNotice } from '../../fields/toolNotice';
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
			description:
				'Set up a new chatbot, with text to train it if you like. It counts towards what your plan includes.',
			routing: { request: { method: 'POST', url: '/create-chatbot' } },
		},
		{
			name: 'Delete',
			value: 'delete',
			action: 'Delete chatbot',
			description:
				'Remove a chatbot for good, with everything that belongs to it. This cannot be undone.',
			routing: { request: { method: 'DELETE', url: '/delete-chatbot' } },
		},
		{
			name: 'Delete Icon',
			value: 'deleteIcon',
			action: 'Delete chatbot icon',
			description:
				'Go back to the standard picture on the chat button. The service keeps no copy of yours.',
			routing: { request: { method: 'DELETE', url: '/delete-chatbot-icon' } },
		},
		{
			name: 'Delete Profile Picture',
			value: 'deleteProfilePicture',
			action: 'Delete chatbot profile picture',
			description:
				'Go back to the standard picture beside the messages. The service keeps no copy of yours.',
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
				'Rename a chatbot, or train it with new text, which may replace the text it has. Everything else is under Chatbot Settings.',
			routing: { request: { method: 'POST', url: '/update-chatbot-data' } },
		},
		{
			name: 'Upload Icon',
			value: 'uploadIcon',
			action: 'Upload chatbot icon',
			description: 'Set the picture on the chat button, from a file of the input item',
			routing: { request: { method: 'POST', url: '/upload-chatbot-icon' } },
		},
		{
			name: 'Upload Profile Picture',
			value: 'uploadProfilePicture',
			action: 'Upload chatbot profile picture',
			description: 'Set the picture beside the messages, from a file of the input item',
			routing: { request: { method: 'POST', url: '/upload-chatbot-profile-picture' } },
		},
	],
};

export const chatbotRunners = {
	create: createChatbot,
	delete: deleteByPath,
	deleteIcon: deleteByPath,
	deleteProfilePicture: deleteByPath,
	get: getChatbot,
	getAll: getAllChatbots,
	update: updateChatbot,
	uploadIcon: uploadImage('chatbotIconFile'),
	uploadProfilePicture: uploadImage('profilePictureFile'),
};

const toolNotices = [
	toolNotice(
		{ resource: ['chatbot'], operation: ['create'] },
		'An agent can create chatbots with this tool, as many as your plan allows. Say under Tool Description when it may.',
	),
	toolNotice(
		{ resource: ['chatbot'], operation: ['delete'] },
		'An agent can delete a chatbot permanently with this tool, with everything that belongs to it. Choose the chatbot yourself rather than let the model name it.',
	),
	toolNotice(
		{ resource: ['chatbot'], operation: ['deleteIcon', 'deleteProfilePicture'] },
		'An agent can delete this picture with this tool. The service keeps no copy of it.',
	),
	toolNotice(
		{ resource: ['chatbot'], operation: ['update'] },
		'With Training Text under Update Fields, an agent can replace all that the chatbot was trained with, permanently.',
	),
];

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
	...toolNotices,
	...chatbotCreateFields,
	...chatbotDeleteFields,
	...chatbotGetFields,
	...chatbotGetAllFields,
	...chatbotUpdateFields,
	...chatbotUploadFields,
];
