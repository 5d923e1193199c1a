import type { INodePropertyRouting } from 'n8n-workflow';

/**
 * The routing of a field that is sent in the body.
 *
 * @param property name in the body; dots lead into nested objects
 */
export function sendAs(property: string): INodePropertyRouting {
	return { send: { type: 'body', property } };
}
