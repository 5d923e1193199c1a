import { resource } from '../../fields/define';
import { create } from './create';
import { get } from './get';
import { getAll } from './getAll';
import { reply } from './reply';
import { search } from './search';
import { update } from './update';

const operations = [create, get, getAll, reply, search, update];

export const ticket = resource({ name: 'Ticket', value: 'ticket' }, 'getAll', operations);
