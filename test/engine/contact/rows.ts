/** Rows of a customer list, as tests of the contact operations hand them in. */
import type { GenericValue, IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { chatbotId, mapped } from '../parameters';

/** A row: what a test leaves out, the item does not mention. */
export type Row = IDataObject & Partial<Record<'id' | 'name' | 'email', GenericValue>>;

/** External ID, name and e-mail address come from the columns of a row. */
export const byColumns: INodeParameters = {
	chatbotId,
	...mapped({
		external_id: '={{ $json.id }}',
		name: '={{ $json.name }}',
		email: '={{ $json.email }}',
	}),
};

/** Nothing stops at a failure: what failed says so in its output item. */
export const goOn = { nodeSettings: { onError: 'continueRegularOutput' as const } };

/** What the node says that it did about each item, or the title of the error. */
export function outcomes(items: INodeExecutionData[]): unknown[] {
	return items.map(({ json }) =>
		json.error === undefined
			? (json._sync as IDataObject | undefined)?.action
			: String(json.error).split('. ')[0],
	);
}
