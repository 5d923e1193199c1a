import { resource } from '../../panel/operation';
import { create } from './create';
import { getAll } from './getAll';
import { update } from './update';

export const customAttribute = resource('customAttribute', 'getAll', [
	create,
	getAll,
	update,
]);
