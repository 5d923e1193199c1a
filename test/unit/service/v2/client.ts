/** A service with one agent, and a way to ask it in version 2. */
import { defaultBehaviourV2, type BehaviourV2, type ServiceOptions } from '../../../service';
import { chatbotId, clientOf, serviceWithChatbot, type Answer } from '../client';

export const agent = `/agents/${chatbotId}`;

export async function start(options?: ServiceOptions) {
	const service = await serviceWithChatbot(options);
	const base = `${service.origin}/api/v2`;
	const ask = clientOf(service, base);
	return {
		service,
		base,
		ask,
		store: service.store,
		set: (behaviour: Partial<BehaviourV2>) => Object.assign(service.behaviourV2, behaviour),
		/** Makes everything as it was at the start. */
		reset: () => {
			service.store.chatbots.clear();
			service.store.addChatbot({ id: chatbotId, name: 'Bot' });
			Object.assign(service.behaviourV2, structuredClone(defaultBehaviourV2));
			service.faults.clear();
			service.clearRequests();
		},
		/** The rows of every page, as a client that believes `hasMore` reads them. */
		all: async (path: string) => {
			const rows = [];
			const first = path + (path.includes('?') ? '&' : '?');
			for (let cursor: string | null = null; ;) {
				const { body } = await ask(
					'GET',
					first + (cursor === null ? '' : `cursor=${encodeURIComponent(cursor)}`),
				);
				rows.push(...body.data);
				({ cursor } = body.pagination);
				if (!body.pagination.hasMore) return rows;
			}
		},
	};
}

/** What an error says in short: its status and code. */
export function errorOf({ status, body }: Answer) {
	return [status, body?.error?.code];
}
