import { resource } from '../../fields/define';
import { getAll } from './getAll';

export const conversation = resource({ name: 'Conversation', value: 'conversation' }, 'getAll', [
	getAll,
]);
