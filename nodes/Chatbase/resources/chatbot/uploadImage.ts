import type { INodeProperties } from 'n8n-workflow';

import { filledText, readAs } from '../../fields/kinds';
import { readId, refuse } from '../../fields/read';
import type { JointItem, JointOperation } from '../../transport/operation';
import { readImageSize } from './imageSize';

interface Task {
	path: string;
	chatbotId: string;
	binaryPropertyName: string;
	fileName: string;
	mimeType: string;
}

/** The service takes images under 1 MB (public reference, 4.11). */
const sizeLimit = 1024 * 1024;

/**
 * Uploads an image of a chatbot. All files are read and checked before the first one is sent, which
 * is why the items go together.
 *
 * @param part name of the part of the form that holds the file
 */
export function uploadImage(part: string): JointOperation<Task> {
	return {
		read(context, { path }) {
			const chatbotId = readId(context, 'chatbotId', 'Chatbot');
			const name: unknown = context.getNodeParameter('binaryPropertyName', '');
			const binaryPropertyName = readAs(context, name, filledText, 'Input Binary Field');
			const { fileName = 'image', mimeType } = context.helpers.assertBinaryData(binaryPropertyName);
			return { path, chatbotId, binaryPropertyName, fileName, mimeType };
		},

		async sendTogether(items) {
			const files = await Promise.all(items.map(readFile));
			await Promise.all(
				items.map(async (item, index) => {
					const file = files[index];
					if (file) await upload(item, part, file);
				}),
			);
		},
	};
}

/** The image of an item, or undefined where it cannot work and the item has failed. */
async function readFile(item: JointItem<Task>): Promise<Buffer | undefined> {
	const { context, task } = item;
	try {
		const file = await context.helpers.getBinaryDataBuffer(task.binaryPropertyName);
		if (file.length >= sizeLimit) {
			throw refuse(
				context,
				'The image is too large',
				`It has ${Math.ceil(file.length / 1024)} kB. The service takes images under 1 MB.`,
			);
		}
		const size = readImageSize(file);
		if (size && size.width !== size.height) {
			throw refuse(
				context,
				'The image is not square',
				`It is ${size.width} pixels wide and ${size.height} high. Crop it to the same width and height, for example with the Edit Image node.`,
			);
		}
		return file;
	} catch (error) {
		item.fail(error);
		return undefined;
	}
}

async function upload(item: JointItem<Task>, part: string, file: Buffer): Promise<void> {
	const { path, chatbotId, fileName, mimeType } = item.task;
	const body = new FormData();
	body.append('chatbotId', chatbotId);
	body.append(part, new Blob([new Uint8Array(file)], { type: mimeType }), fileName);
	try {
		const { message } = await item.service.sendForObject({
			method: 'POST',
			path,
			body,
			subject: 'chatbot',
			repeatable: 'always',
		});
		item.succeed([{ message, chatbotId }]);
	} catch (error) {
		item.fail(error);
	}
}

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
		displayOptions: {
			show: { resource: ['chatbot'], operation: ['uploadIcon', 'uploadProfilePicture'] },
		},
	},
];
