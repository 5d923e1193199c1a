import { resource } from '../../panel/operation';
import { getAll } from './getAll';

export const lead = resource('lead', 'getAll', [getAll]);
