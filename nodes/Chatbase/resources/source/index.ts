import { resource } from '../../panel/operation';
import { create } from './create';
import { deleteSource } from './delete';
import { get } from './get';
import { getAll } from './getAll';
import { mirror } from './mirror';
import { update } from './update';
import { upsert } from './upsert';

const operations = [create, upsert, deleteSource, get, getAll, mirror, update];

export const source = resource('source', 'getAll', operations);
