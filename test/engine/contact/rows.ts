/** Rows of a customer list for tests of the contact operations. */
import type { GenericValue, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';
import { byName, type Testbed } from '../testbed';

/** A row. The item does not mention omitted values. */
export type Row = IDataObject & Partial<Record<'id' | 'name' | 'email', GenericValue>>;

/** External ID, name and email come from the columns of a row. */
export const byColumns: INodeParameters = {
	chatbotId,
	...mapped({
		external_id: '={{ $json.id }}',
		name: '={{ $json.name }}',
		email: '={{ $json.email }}',
	}),
};

/** A mirror that deletes missing contacts with its tag `crm` in the attribute `source`. */
export const taggedMirror = {
	operation: 'mirror',
	dryRun: false,
	chatbotId,
	manage: 'tag',
	tagValue: 'crm',
	onMissing: 'delete',
	options: { tagAttribute: byName('source') },
};

/** The input of a mirror is the list of all contacts. Other operations ignore these parameters. */
export const wholeList: INodeParameters = { manage: 'all', onMissing: 'report', dryRun: false };

/** The External IDs of all contacts of a chatbot, sorted. */
export function idsIn({ service }: Testbed, chatbot = 'bot'): string[] {
	return [...service.store.chatbot(chatbot).contacts].map(({ external_id: id }) => id).sort();
}

/** What a run says in its hints. */
export function messages({ hints }: { hints: Array<{ message: string }> }): string[] {
	return hints.map(({ message }) => message);
}

/** Continues after a failure: the output item has the error. */
export const goOn = { nodeSettings: { onError: 'continueRegularOutput' as const } };

/** The action or the title of the error of each item. */
export function outcomes(items: INodeExecutionData[]): unknown[] {
	return items.map(({ json }) =>
		json.error === undefined
			? (json._sync as IDataObject | undefined)?.action
			: String(json.error).split('. ')[0],
	);
}
