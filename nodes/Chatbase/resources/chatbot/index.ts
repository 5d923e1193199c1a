import { resource } from '../../panel/operation';
import { clone } from './clone';
import { create } from './create';
import { deleteChatbot, deleteIcon, deleteProfilePicture } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { update } from './update';
import { uploadIcon, uploadProfilePicture } from './uploadPicture';

export const chatbot = resource('chatbot', 'getAll', [
	clone,
	create,
	deleteChatbot,
	deleteIcon,
	deleteProfilePicture,
	get,
	getAll,
	update,
	uploadIcon,
	uploadProfilePicture,
]);
