/** Icon and profile picture of a chatbot. Public pages. */
import type { FastifyInstance } from 'fastify';

import { chatbotOf, type Context } from './context';
import { chatbotQuery, iconUpload, profilePictureUpload } from './contract';
import { badRequest, validated } from '../core/refusal';
import type { Image } from '../core/store';

/** The guides say under 1 MB. The service doesn't check that the image is square: its formats are not listed. */
const imageLimit = 1024 * 1024;

export function assetRoutes(app: FastifyInstance, context: Context): void {
	app.post('/api/v1/upload-chatbot-icon', ({ body }) => {
		const { chatbotId, chatbotIconFile } = validated(iconUpload, body);
		refuseLargeImage('chatbotIconFile', chatbotIconFile);
		chatbotOf(context, chatbotId).icon = chatbotIconFile;
		return { message: 'Chatbot chat icon uploaded successfully.' };
	});

	app.post('/api/v1/upload-chatbot-profile-picture', ({ body }) => {
		const { chatbotId, profilePictureFile } = validated(profilePictureUpload, body);
		refuseLargeImage('profilePictureFile', profilePictureFile);
		chatbotOf(context, chatbotId).profilePicture = profilePictureFile;
		return { message: 'Chatbot Profile Picture uploaded successfully.' };
	});

	app.delete('/api/v1/delete-chatbot-icon', ({ query }) => {
		const { chatbotId } = validated(chatbotQuery, query);
		chatbotOf(context, chatbotId).icon = null;
		return { message: 'Chatbot icon deleted successfully.' };
	});

	app.delete('/api/v1/delete-chatbot-profile-picture', ({ query }) => {
		const { chatbotId } = validated(chatbotQuery, query);
		chatbotOf(context, chatbotId).profilePicture = null;
		return { message: 'Chatbot profile picture deleted successfully.' };
	});
}

function refuseLargeImage(field: string, { size }: Image): void {
	if (size >= imageLimit) throw badRequest([{ field, message: 'Must be smaller than 1 MB' }]);
}
