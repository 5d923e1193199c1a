import { resource } from '../../fields/define';
import { send } from './send';
import { getAll } from './templates';

const name = 'WhatsApp Template';

export const whatsAppTemplate = resource('whatsAppTemplate', 'send', [getAll, send], name);
