import type { InputItem } from '../../execution/item';
import type { ReadyItem } from '../../execution/run';
import type { INodeProperties } from 'n8n-workflow';
import { operation, optionsField } from '../../fields/define';
import { chatbotField } from '../../fields/locators';
import { maxConcurrencyOption } from '../../fields/paging';
import { filledText, readId, readRequired } from '../../fields/values';
import { confirmedChange } from './chatbots';

interface Upload {
	chatbotId: string;
	/** Name of the binary field that holds the picture. */
	field: string;
	fileName: string;
	mimeType: string;
}

/** The service takes images under 1 MB (public reference, 4.11). */
const sizeLimit = 1024 * 1024;

const fields: INodeProperties[] = [
	chatbotField,
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the image',
		description: 'A square image under 1 MB, for example PNG or JPEG, from a node before this one',
	},
	optionsField([maxConcurrencyOption]),
];

/** @param part name of the part of the form that holds the file */
function upload(part: string) {
	return {
		fields,

		async read(item: InputItem): Promise<Upload> {
			const chatbotId = readId(item, 'chatbotId', 'Chatbot');
			if (item.isTool) {
				throw item.error(
					'A tool has no file to upload',
					'An agent passes no files. Use this operation as a step of a workflow.',
				);
			}
			const field = readRequired(item, 'binaryPropertyName', filledText, 'Input Binary Field');
			const { fileName, mimeType } = item.describeFile(field);
			assertImage(item, mimeType, await item.readFile(field));
			// A part of a form without a file name is a text.
			return { chatbotId, field, fileName: fileName?.trim() || 'image', mimeType };
		},

		sequenceKeys: ({ chatbotId }: Upload) => [chatbotId],

		async send({ item, params, api }: ReadyItem<Upload>) {
			const { chatbotId, field, fileName, mimeType } = params;
			// Read once more, so that files in memory are no more than those on their way.
			const file = await item.readFile(field);
			const body = new FormData();
			body.append('chatbotId', chatbotId);
			body.append(part, new Blob([new Uint8Array(file)], { type: mimeType }), fileName);
			const response = await api.send({
				...item.request,
				body,
				resource: 'chatbot',
				repeatable: 'always',
			});
			const { message } = api.expectBody(response, confirmedChange);
			return [{ message, chatbotId }];
		},
	};
}

/** @throws NodeOperationError if the service would refuse the file */
function assertImage(item: InputItem, mimeType: string, file: Buffer) {
	if (file.length === 0) {
		throw item.error('The image is empty', 'The file has no content. Look at the node before.');
	}
	if (!mimeType.startsWith('image/')) {
		throw item.error(
			'The file is not an image',
			`Its type is "${mimeType}". Upload a square image, for example PNG or JPEG.`,
		);
	}
	if (file.length >= sizeLimit) {
		throw item.error(
			'The image is too large',
			`It has ${Math.ceil(file.length / 1024)} kB. The service takes images under 1 MB.`,
		);
	}
}

export const uploadIcon = operation({
	value: 'uploadIcon',
	name: 'Upload Icon',
	action: 'Upload chatbot icon',
	description: 'Set the picture on the chat button, from a file of the input item',
	request: { method: 'POST', path: '/upload-chatbot-icon' },
	...upload('chatbotIconFile'),
});

export const uploadProfilePicture = operation({
	value: 'uploadProfilePicture',
	name: 'Upload Profile Picture',
	action: 'Upload chatbot profile picture',
	description: 'Set the picture beside the messages, from a file of the input item',
	request: { method: 'POST', path: '/upload-chatbot-profile-picture' },
	...upload('profilePictureFile'),
});
