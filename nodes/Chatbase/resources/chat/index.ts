import { resource } from '../../fields/define';
import { send } from './send';

export const chat = resource({ name: 'Chat', value: 'chat' }, 'send', [send]);
