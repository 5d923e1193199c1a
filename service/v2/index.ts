/** Every route of version 2. */
import { agentRoutes } from './agents';
import { chatRoutes } from './chat';
import { conversationRoutes } from './conversations';
import { sourceRoutes } from './sources';
import { ticketRoutes } from './tickets';
import { whatsappRoutes } from './whatsapp';

export const routesV2 = [
	...agentRoutes,
	...conversationRoutes,
	...chatRoutes,
	...sourceRoutes,
	...ticketRoutes,
	...whatsappRoutes,
];
