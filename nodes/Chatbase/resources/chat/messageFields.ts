import type { InputItem } from '../../execution/item';
import { type Field, type Look, optionField, requiredField } from '../../panel/field';
import { toolNotice } from '../../panel/notices';
import { boolean, filledText } from '../../panel/types';

/** In milliseconds. A chatbot may look things up before it answers. */
export const chatTimeout = 120_000;

export const costNotice = toolNotice(
	'Each call costs message credits. Describe under Tool Description when the agent should use it.',
);

/** @param look what differs from the usual field, such as a default */
export function messageFieldWith(look: Partial<Look> = {}): Field<string> {
	return requiredField('message', 'Message', filledText, {
		description: 'What the user says to the chatbot',
		typeOptions: { rows: 3 },
		placeholder: 'e.g. What are your opening hours?',
		...look,
	});
}

export const streamOption = optionField('stream', 'Enable Streaming', boolean, {
	description:
		'Whether to send the answer in pieces as it is written. Requires Response Mode "Streaming" in the trigger.',
	default: true,
});

/** Says why nobody saw the pieces of an answer, if the workflow doesn't stream its response. */
export function warnIfUnheard({ sendChunk, context }: InputItem): void {
	if (sendChunk) return;

	context.warn(
		'The answer was not streamed, because this run has no streaming response. Set Response Mode to "Streaming" in the Chat Trigger or Webhook.',
	);
}
