import { resource } from '../../fields/define';
import { update } from './update';

export const chatbotSettings = resource('chatbotSettings', 'update', [update]);
