import { type Workflow } from '../lab/workflow.mjs';
import { chatbotId, type Stage } from './stage.mjs';

/** An article that is new to the chatbot, and a question about it. */
export const article = {
	content: 'The showroom in Bergen is open on Saturdays, from 10 to 14.',
	question: 'Is the showroom open on Saturdays?',
};

const workflow: Workflow = {
	name: 'Send an article',
	nodes: [
		{
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			name: 'Send article',
			type: 'n8n-nodes-chatbase.chatbase',
			typeVersion: 1,
			position: [208, 0],
			parameters: {
				resource: 'source',
				operation: 'create',
				chatbotId: { __rl: true, mode: 'id', value: chatbotId },
				name: 'Showroom',
				content: article.content,
			},
			credentials: { chatbaseV1Api: { id: '', name: '' } },
		},
	],
	connections: { Start: { main: [[{ node: 'Send article', type: 'main', index: 0 }]] } },
};

/** Sends the article through the node in n8n. */
export async function sendArticle({ api, credential }: Stage): Promise<void> {
	const { status, error } = await api.runWorkflow(await api.importWorkflow(workflow, [credential]));
	if (status !== 'success') throw new Error('The article was not sent', { cause: error });
}
