/** Icon and profile picture of a chatbot. Public pages. */
import { badRequest } from '../core/refusal';
import type { Image } from '../core/store';
import { chatbotOf } from './context';
import { endpoints } from './endpoints';
import { route } from './route';

/** The guides say under 1 MB. The service doesn't check that the image is square: its formats are not listed. */
const imageLimit = 1024 * 1024;

export const assetRoutes = [
	route(endpoints.uploadIcon, (call) => {
		const { chatbotId, chatbotIconFile } = call.body;
		refuseLargeImage('chatbotIconFile', chatbotIconFile);
		chatbotOf(call, chatbotId).icon = chatbotIconFile;
		return { message: 'Chatbot chat icon uploaded successfully.' };
	}),

	route(endpoints.uploadPicture, (call) => {
		const { chatbotId, profilePictureFile } = call.body;
		refuseLargeImage('profilePictureFile', profilePictureFile);
		chatbotOf(call, chatbotId).profilePicture = profilePictureFile;
		return { message: 'Chatbot Profile Picture uploaded successfully.' };
	}),

	route(endpoints.deleteIcon, (call) => {
		chatbotOf(call, call.query.chatbotId).icon = null;
		return { message: 'Chatbot icon deleted successfully.' };
	}),

	route(endpoints.deletePicture, (call) => {
		chatbotOf(call, call.query.chatbotId).profilePicture = null;
		return { message: 'Chatbot profile picture deleted successfully.' };
	}),
];

function refuseLargeImage(field: string, { size }: Image): void {
	if (size >= imageLimit) throw badRequest([{ field, message: 'Must be smaller than 1 MB' }]);
}
