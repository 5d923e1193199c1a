import type { IDataObject } from 'n8n-workflow';

export function hasChatbotId({ chatbotId }: IDataObject): boolean {
	return typeof chatbotId === 'string' || typeof chatbotId === 'number';
}

/** The body of a confirmed change: a message for settings and pictures, else an ID (reference of version 1). */
export function confirmedChange(body: IDataObject): IDataObject | undefined {
	return typeof body.message === 'string' || hasChatbotId(body) ? body : undefined;
}
