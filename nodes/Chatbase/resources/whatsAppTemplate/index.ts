import { resource } from '../../fields/define';
import { getAll } from './getAll';
import { send } from './send';

export const whatsAppTemplate = resource(
	{ name: 'WhatsApp Template', value: 'whatsAppTemplate' },
	'send',
	[getAll, send],
);
