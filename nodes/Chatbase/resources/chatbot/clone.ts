import type { NodeApiError } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { withSentence } from '../../api/errors';
import { confirmedResult } from '../../api/unknownOutcome';
import type { InputItem } from '../../execution/item';
import { optionsField } from '../../panel/collections';
import { optionalField } from '../../panel/field';
import { toolNotice } from '../../panel/notices';
import { operation } from '../../panel/operation';
import { firstOf } from '../../values/list';
import { readSources } from '../source/sources';
import { awaitTraining, waitOption } from '../source/training';
import { chatbotField } from './chatbotField';
import { nameOfChatbot } from './chatbots';

const newName = optionalField('options.name', 'New Name', ...nameOfChatbot);

export const clone = operation({
	value: 'clone',
	description: 'Make a copy of a chatbot and its sources. Needs a plan with API access.',
	request: { method: 'POST', path: '/agents/{chatbotId}/clone', resource: 'agent' },
	fields: [
		toolNotice(
			'Each call makes another chatbot with the settings and sources of this one, up to the limit of your plan. Describe under Tool Description when the agent should.',
		),
		chatbotField,
		optionsField([newName, waitOption]),
	],

	validateRun: (context) => context.assertNoRetry('n8n would make the clones of all items again.'),

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		name: newName.read(item),
		wait: waitOption.read(item),
	}),

	// One after the other, so that no clone is made after a failure.
	sequenceKeys: () => ['clones'],

	async send({ item, params: { chatbotId, name, wait }, api }) {
		const made = await api.state.memoize('clones', async (): Promise<string[]> => []);
		const response = await api.send({ ...item.request, params: { chatbotId }, timeout: 300_000 });
		const created = confirmedResult(api, response, (body) => (body.id ? body : undefined));
		if (!created) {
			const others = `Other clones of this run: ${firstOf(made) || 'none'}.`;
			const mayExist = 'A clone may exist. Look at the list of chatbots before you run again.';
			throw withSentence(api.failure(response), `${mayExist} ${others}`);
		}
		const { pendingSteps = [] } = created;
		const id = String(created.id);
		item.identity.id = id;
		made.push(id);
		try {
			if (name !== undefined) {
				// Version 1 may come to know the clone later.
				const agent = { ...item.request, path: '/agents/{chatbotId}', params: { chatbotId: id } };
				const renamed = await api.send({ ...agent, method: 'PUT', body: { name } });
				api.expectBody(renamed, (body) => body);
			}
			if (wait > 0) await awaitAllSources(api, id, item, wait);
		} catch (error) {
			const exists = `The clone exists: its ID is ${id}. Another run makes another clone.`;
			throw withSentence(error as NodeApiError, exists);
		}
		if (Array.isArray(pendingSteps) && pendingSteps.length > 0) {
			item.context.warn('A clone is not complete: its pendingSteps name what Chatbase left out.');
		}
		return [{ chatbotId: id, clonedFrom: chatbotId, pendingSteps }];
	},
});

async function awaitAllSources(api: ApiClient, chatbotId: string, item: InputItem, wait: number) {
	const sources = await readSources(item, api, chatbotId, {});
	const failures: unknown[] = [];
	const fail = (error: unknown) => failures.push(error);
	const written = sources.map((source) => ({ source, item, wait, succeed() {}, fail }));
	await awaitTraining(api, chatbotId, written);
	if (failures.length > 0) throw failures[0];
}
