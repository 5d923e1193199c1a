import { optionsField } from '../../panel/collections';
import { maxConcurrencyOption } from '../../panel/maxConcurrency';
import { notFoundOption } from '../../panel/notFound';
import { operation } from '../../panel/operation';
import { chatbotField } from '../../chatbots/chatbots';
import { sendToSource, sourceIn, sourcePath } from './requests';
import { readChosenSource, sourceField } from './sources';

export const get = operation({
	value: 'get',
	description: 'Read one source without its content. May need a higher plan.',
	request: { method: 'GET', path: sourcePath, resource: 'agentSource' },
	maxConcurrency: maxConcurrencyOption,
	fields: [
		chatbotField,
		sourceField,
		optionsField([
			notFoundOption('Returns found: false for the ID', 'source with this ID'),
			maxConcurrencyOption,
		]),
	],

	read: readChosenSource,

	async send({ params, api }) {
		const { chatbotId, sourceId, marksMissing } = params;
		const response = await sendToSource(api, { chatbotId, sourceId }, { method: 'GET' });
		if (response.outcome === '404' && marksMissing) {
			return [{ found: false, id: sourceId }];
		}

		return [sourceIn(api, response, sourceId)];
	},
});
