/** Rows of a customer list for tests of the contact operations. */
import type { GenericValue, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';

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
