import { readId } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { confirmsDeletion } from '../../transport/response';

interface Task {
	path: string;
	chatbotId: string;
}

/** Deletes what the path stands for: a chatbot, its icon or its profile picture. */
export const deleteByPath: SingleOperation<Task> = {
	read: (context, { path }) => ({ path, chatbotId: readId(context, 'chatbotId', 'Chatbot') }),

	async send({ task: { path, chatbotId }, service }) {
		const subject = 'chatbot';
		const response = await service.send({ method: 'DELETE', path, qs: { chatbotId }, subject });
		// An attempt before may have deleted it without its response reaching us.
		if (response.unclear && response.status === 404) return [{ deleted: true }];
		if (response.outcome) throw service.failure(response, subject);
		if (!confirmsDeletion(response)) throw service.unexpected(response, subject);
		return [{ deleted: true }];
	},
};
