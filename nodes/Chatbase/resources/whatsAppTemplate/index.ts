import { resource } from '../../fields/define';
import { getAll } from './getAll';
import { send } from './send';

const option = { name: 'WhatsApp Template', value: 'whatsAppTemplate' };

export const whatsAppTemplate = resource(option, 'send', [getAll, send]);
