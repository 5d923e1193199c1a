import { resource } from '../../fields/define';
import { getAll } from './getAll';

export const lead = resource({ name: 'Lead', value: 'lead' }, 'getAll', [getAll]);
