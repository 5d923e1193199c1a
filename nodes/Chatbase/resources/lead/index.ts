import { resource } from '../../fields/define';
import { getAll } from './getAll';

export const lead = resource('lead', 'getAll', [getAll]);
