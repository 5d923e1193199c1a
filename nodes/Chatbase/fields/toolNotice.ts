import type { INodeProperties } from 'n8n-workflow';

import type { ShownFor } from './collections';

/**
 * Tells the user of a tool what an agent may do with it.
 *
 * @param show the operations that it is about
 * @param displayName what to know, in HTML as n8n renders it
 */
export function toolNotice(show: ShownFor, displayName: string): INodeProperties {
	return {
		displayName,
		name: 'toolNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { ...show, '@tool': [true] } },
	};
}
