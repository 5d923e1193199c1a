import { resource } from '../../fields/define';
import { getAll } from './getAll';
import { send } from './send';

export const whatsAppTemplate = resource(
	'whatsAppTemplate',
	'send',
	[getAll, send],
	'WhatsApp Template',
);
