import { resource } from '../../panel/operation';
import { create } from './create';
import { deleteContact } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { mirror } from './mirror';
import { update } from './update';
import { upsert } from './upsert';

export const contact = resource('contact', 'upsert', [
	create,
	upsert,
	deleteContact,
	get,
	getAll,
	mirror,
	update,
]);
