import type { INodeProperties } from 'n8n-workflow';

import type { InputItem } from '../../execution/item';
import type { BatchOperation } from '../../execution/operation';
import { optionsField } from '../../fields/collections';
import { filledText, readAs } from '../../fields/values';
import { maxConcurrencyOption } from '../../fields/paging';
import { readId } from '../../fields/read';
import { readImageSize } from './imageSize';

interface Task {
	chatbotId: string;
	/** Name of the binary field that holds the image. */
	field: string;
	fileName: string;
	mimeType: string;
}

/** The service takes images under 1 MB (public reference, 4.11). */
const sizeLimit = 1024 * 1024;

/**
 * Uploads an image of a chatbot. All files are read and checked before the first one is sent.
 *
 * @param part name of the part of the form that holds the file
 */
export function uploadImage(part: string): BatchOperation<Task> {
	return {
		read(item) {
			const chatbotId = readId(item, 'chatbotId', 'Chatbot');
			if (item.isTool) {
				throw item.refusal(
					'A tool has no file to upload',
					'An agent passes no files. Use this operation as a step of a workflow.',
				);
			}
			const name = item.parameter('binaryPropertyName');
			const field = readAs(item, name, filledText, 'Input Binary Field');
			const { fileName, mimeType } = item.describeFile(field);
			// A part of a form without a file name is a text.
			return { chatbotId, field, fileName: fileName?.trim() || 'image', mimeType };
		},

		async sendAll({ items }) {
			// One after the other: a file is at hand only while it is looked at, and again while it is sent.
			const checked: typeof items = [];
			for (const open of items) {
				const { item, params } = open;
				try {
					assertImage(item, params, await item.readFile(params.field));
					checked.push(open);
				} catch (error) {
					open.fail(error);
				}
			}
			await Promise.all(
				checked.map(async ({ item, params, api, succeed, fail }) => {
					try {
						const { message } = await api.inOneSlot(async (sender) => {
							const { chatbotId, field, fileName, mimeType } = params;
							const file = await item.readFile(field);
							const body = new FormData();
							body.append('chatbotId', chatbotId);
							body.append(part, new Blob([new Uint8Array(file)], { type: mimeType }), fileName);
							return await sender.sendForBody({
								...item.request,
								body,
								subject: 'chatbot',
								repeatable: 'always',
							});
						});
						succeed([{ message, chatbotId: params.chatbotId }]);
					} catch (error) {
						fail(error);
					}
				}),
			);
		},
	};
}

/** @throws NodeOperationError when the service would refuse the file */
function assertImage(item: InputItem, { mimeType }: Task, file: Buffer) {
	if (file.length === 0) {
		throw item.refusal('The image is empty', 'The file has no content. Look at the node before.');
	}
	if (!mimeType.startsWith('image/')) {
		throw item.refusal(
			'The file is not an image',
			`Its type is "${mimeType}". Upload a square image, for example PNG or JPEG.`,
		);
	}
	if (file.length >= sizeLimit) {
		throw item.refusal(
			'The image is too large',
			`It has ${Math.ceil(file.length / 1024)} kB. The service takes images under 1 MB.`,
		);
	}
	const size = readImageSize(file);
	if (size && size.width !== size.height) {
		throw item.refusal(
			'The image is not square',
			`It is ${size.width} pixels wide and ${size.height} high. Crop it to the same width and height, for example with the Edit Image node.`,
		);
	}
}

const show = { resource: ['chatbot'], operation: ['uploadIcon', 'uploadProfilePicture'] };

export const chatbotUploadFields: INodeProperties[] = [
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the image',
		description: 'A square image under 1 MB, for example PNG or JPEG, from a node before this one',
		displayOptions: { show },
	},
	optionsField(show, [maxConcurrencyOption]),
];
