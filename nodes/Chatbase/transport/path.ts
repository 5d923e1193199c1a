import type { INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

/**
 * Fills the placeholders of a path such as `/chatbots/{chatbotId}/contacts`, each value encoded
 * as one path segment so that it can never lead to another path.
 *
 * @param node the node that the error is for
 * @param template path with `{name}` placeholders
 * @param values text for each placeholder, not blank and neither `.` nor `..`
 * @throws NodeOperationError when a value holds half a character, which no address can carry
 */
export function fillPath(node: INode, template: string, values: Record<string, string>): string {
	try {
		return template.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name]));
	} catch {
		throw new NodeOperationError(node, 'An ID holds text that cannot be sent', {
			description: 'It ends in the middle of a character, such as an emoji that was cut in two.',
		});
	}
}
