import { resource } from '../../fields/define';
import { send } from './send';
import { sendWithMemory } from './sendWithMemory';

export const chat = resource({ name: 'Chat', value: 'chat' }, 'send', [send, sendWithMemory]);
