import { Panel } from '../../lab/panel.mjs';
import { type Stage } from '../../lab/stage.mjs';

interface Added {
	/** The node that it follows. It is the first one of an empty workflow without. */
	after?: string;
	/** As the list of nodes names it. */
	action: string;
	/** The name of the chatbot that is chosen From List. */
	chatbot: string;
}

/** Adds the node by clicks, with what every user sets first. */
export async function addChatbase(
	{ credential, editor }: Stage,
	{ after, action, chatbot }: Added,
): Promise<Panel> {
	const panel = new Panel(editor!.page);
	if (after === undefined) await editor!.newWorkflow();
	else await editor!.node(after).click();
	await editor!.addNode('chatbase', 'Chatbase', action);
	await panel.waitFor();
	await panel.chooseCredential(credential.name);
	await panel.chooseFromList('chatbotId', chatbot, chatbot);
	return panel;
}
