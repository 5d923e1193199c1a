import type { Attribute } from '../../contacts/attributes';
import type { Service } from '../../transport/service';
import { readAttributes } from '../customAttribute/requests';

/** The attributes of each chatbot that a run works with, read once and only when needed. */
export class AttributeSchemas {
	private readonly read = new Map<string, Promise<Attribute[]>>();

	/** @param service the way to the service */
	constructor(private readonly service: Service) {}

	/** @throws NodeApiError when the service fails */
	async of(chatbotId: string): Promise<Attribute[]> {
		const attributes = this.read.get(chatbotId) ?? readAttributes(this.service, chatbotId);
		this.read.set(chatbotId, attributes);
		return await attributes;
	}
}
