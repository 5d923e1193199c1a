import { resource } from '../../panel/operation';
import { send } from './send';
import { sendWithMemory } from './sendWithMemory';

export const chat = resource('chat', 'sendWithMemory', [sendWithMemory, send]);
