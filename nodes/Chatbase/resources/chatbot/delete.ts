import { readId } from '../../fields/read';
import type { SingleOperation } from '../../transport/operation';
import { confirmsDeletion } from '../../transport/reply';

interface Task {
	path: string;
	chatbotId: string;
}

/** Deletes what the path stands for: a chatbot, its icon or its profile picture. */
export const deleteByPath: SingleOperation<Task> = {
	read: (context, { path }) => ({ path, chatbotId: readId(context, 'chatbotId', 'Chatbot') }),

	async send({ task: { path, chatbotId }, service }) {
		const subject = 'chatbot';
		const reply = await service.send({ method: 'DELETE', path, qs: { chatbotId }, subject });
		// An attempt before may have deleted it without its reply reaching us.
		if (reply.unclear && reply.status === 404) return [{ deleted: true }];
		if (reply.situation) throw service.failure(reply, subject);
		if (!confirmsDeletion(reply)) throw service.unexpected(reply, subject);
		return [{ deleted: true }];
	},
};
