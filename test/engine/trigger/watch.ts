/** The trigger in n8n's engine, on a chatbot of the simulated service. */
import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { ChatbaseTrigger } from '../../../nodes/ChatbaseTrigger/ChatbaseTrigger.node';
import type { Chatbot } from '../../../service';
import type { Poller, PollingOptions } from '../harness';
import { byId, type Testbed, useTestbed } from '../testbed';

export const trigger = 'n8n-nodes-chatbase.chatbaseTrigger';

/** Every event that the panel offers. */
export const events = (
	new ChatbaseTrigger().description.properties.find(({ name }) => name === 'event')!
		.options as INodePropertyOptions[]
).map(({ value }) => String(value));

/** The one chatbot of these tests. */
export const chatbotId = 'my bot';

export class Watch {
	constructor(readonly testbed: Testbed) {}

	/** Resets the service, and stops its clock at the present second. */
	reset(): Chatbot {
		const { service } = this.testbed;
		this.testbed.reset();
		service.clock.set(Math.floor(Date.now() / 1000) * 1000);
		return service.store.addChatbot({ id: chatbotId });
	}

	poller(parameters: INodeParameters, options: PollingOptions = {}): Poller {
		const given = { chatbotId: byId(chatbotId), ...parameters };
		return this.testbed.engine.poller({ node: trigger, parameters: given, ...options });
	}

	/** A trigger that has polled once, so that it knows what exists. */
	async active(parameters: INodeParameters, options: PollingOptions = {}): Promise<Poller> {
		const poller = this.poller(parameters, options);
		const { outputs } = await poller.poll();
		expect(outputs).toBeNull();
		this.testbed.service.clearRequests();
		return poller;
	}

	addContact(externalId: string, fields: IDataObject = {}) {
		return this.testbed.service.store.addContact(chatbotId, { external_id: externalId, ...fields });
	}

	/** Changes a contact as a PATCH does. */
	edit(externalId: string, fields: IDataObject = {}) {
		const { store, clock } = this.testbed.service;
		const contact = store.contact(chatbotId, externalId)!;
		store.chatbot(chatbotId).contacts.change(contact, { ...fields, updated_at: clock.seconds() });
	}

	pass(seconds: number): void {
		this.testbed.service.clock.advance(seconds * 1000);
	}

	get sent(): string[] {
		return this.testbed.service.requests.map(({ url }) => url.replace('/api/v1', ''));
	}

	get illegal(): string[] {
		return this.testbed.illegal;
	}
}

/** A trigger for all tests of a suite, on a service that is reset before each. */
export function useWatch(): Watch {
	const watch = new Watch(useTestbed());
	beforeEach(() => void watch.reset());
	return watch;
}

/** The external IDs that a poll has reported. */
export async function reportedBy(poller: Poller): Promise<unknown[]> {
	const { items } = await poller.poll();
	return items.map(({ json }) => json.external_id);
}
