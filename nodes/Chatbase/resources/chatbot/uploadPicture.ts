import type { InputItem } from '../../execution/item';
import { requiredField } from '../../panel/field';
import { operation, type PanelOperation } from '../../panel/operation';
import { filledText } from '../../panel/types';
import { countFormat } from '../../values/json';
import { chatbotField } from '../../chatbots/chatbots';
import { confirmedChange } from './confirmedChange';

/** The service accepts images under 1 MB (reference of version 1). */
const sizeLimit = 1024 * 1024;

const binaryField = requiredField(
	'binaryPropertyName',
	'Input Data Field Name',
	filledText,
	{
		description: 'A square image under 1 MB, such as PNG or JPEG',
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the image',
	},
);

/** @param part name of the form field for the file */
function uploadOperation(
	part: string,
	definition: Pick<PanelOperation, 'value' | 'action' | 'description' | 'request'>,
) {
	return operation({
		...definition,
		fields: [chatbotField, binaryField],
		notAsTool: 'An agent has no files. Use this operation as a step of a workflow.',

		async read(item) {
			const chatbotId = chatbotField.read(item);
			const field = binaryField.read(item);
			const { fileName, mimeType } = item.describeFile(field);
			assertImage(item, mimeType, await item.readFile(field));

			// Without a file name, the form field would count as text.
			return { chatbotId, field, fileName: fileName.trim() || 'image', mimeType };
		},

		sequenceKeys: ({ chatbotId }) => [chatbotId],

		async send({ item, params, api }) {
			const { chatbotId, field, fileName, mimeType } = params;
			// Read again here, so that only files that are being sent are in memory.
			const file = await item.readFile(field);
			const body = new FormData();
			body.append('chatbotId', chatbotId);
			body.append(part, new Blob([new Uint8Array(file)], { type: mimeType }), fileName);

			const response = await api.send({ ...item.request, body, repeatable: 'always' });
			const { message } = api.expectBody(response, confirmedChange);
			return [{ message, chatbotId }];
		},
	});
}

function assertImage(item: InputItem, mimeType: string, file: Buffer) {
	if (file.length === 0) {
		throw item.error(
			'The image is empty',
			'The file has no content. Check the node before.',
		);
	}

	if (!mimeType.startsWith('image/')) {
		const fact = mimeType ? `Its type is "${mimeType}".` : 'It has no MIME type.';
		const nextStep = `${fact} Upload a square image, such as PNG or JPEG.`;
		throw item.error('The file is not an image', nextStep);
	}

	if (file.length >= sizeLimit) {
		const nextStep = `It has ${countFormat.format(Math.ceil(file.length / 1024))} kB. The service accepts images under 1 MB.`;
		throw item.error('The image is too large', nextStep);
	}
}

export const uploadIcon = uploadOperation('chatbotIconFile', {
	value: 'uploadIcon',
	action: 'Upload chatbot icon',
	description: 'Set the picture on the chat button, from a file of the input item',
	request: { method: 'POST', path: '/upload-chatbot-icon', resource: 'chatbot' },
});

export const uploadProfilePicture = uploadOperation('profilePictureFile', {
	value: 'uploadProfilePicture',
	action: 'Upload chatbot profile picture',
	description: 'Set the picture beside the messages, from a file of the input item',
	request: {
		method: 'POST',
		path: '/upload-chatbot-profile-picture',
		resource: 'chatbot',
	},
});
