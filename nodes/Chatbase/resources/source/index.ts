import { resource } from '../../fields/define';
import { create, update } from './createAndUpdate';
import { getAll } from './getAll';
import { deleteSource, get } from './getAndDelete';
import { mirror } from './mirror';
import { upsert } from './upsert';

const operations = [create, upsert, deleteSource, get, getAll, mirror, update];

export const source = resource({ name: 'Source', value: 'source' }, 'getAll', operations);
