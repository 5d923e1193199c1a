import { resource } from '../../panel/operation';
import { getAll } from './getAll';
import { send } from './send';

const name = 'WhatsApp Template';

export const whatsAppTemplate = resource(
	'whatsAppTemplate',
	'getAll',
	[getAll, send],
	name,
);
