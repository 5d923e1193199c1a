import { resource } from '../../panel/operation';
import { update } from './update';

export const chatbotSettings = resource('chatbotSettings', 'update', [update]);
