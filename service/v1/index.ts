/** Every route of version 1. */
import { assetRoutes } from './assets';
import { chatRoutes } from './chat';
import { chatbotRoutes } from './chatbots';
import { contactRoutes } from './contacts';
import { conversationRoutes } from './conversations';
import { customAttributeRoutes } from './customAttributes';
import { leadRoutes } from './leads';

export const routesV1 = [
	...chatRoutes,
	...chatbotRoutes,
	...contactRoutes,
	...customAttributeRoutes,
	...conversationRoutes,
	...leadRoutes,
	...assetRoutes,
];
