import { resource } from '../../panel/operation';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { reply } from './reply';
import { search } from './search';
import { update } from './update';

export const ticket = resource('ticket', 'getAll', [
	create,
	get,
	getAll,
	reply,
	search,
	update,
]);
