/** The custom actions of a chatbot: requests that it sends while it answers. Public pages. */
import type { z } from 'zod';

import type { Contact } from '../core/contactBook';
import { validated, Refusal } from '../core/refusal';
import { customAction, customActionReply, variable } from './contract';

/** A custom action, and what stands for the model that decides when to use it. */
export interface CustomAction extends z.output<typeof customAction> {
	/**
	 * Reads a visitor's message: the values of the data inputs if the action is to be used, else undefined.
	 * In the service, a model decides.
	 */
	recognize: (message: string) => Record<string, string> | undefined;
}

/** What a custom action did. */
export interface ActionResult {
	name: string;
	inputs: Record<string, string>;
	/** The JSON that the URL answered; undefined if there is none. */
	output?: unknown;
	/** Why there is no output. */
	failure?: string;
}

/** For whom an action runs, and how long. */
interface ActionRun {
	/** Of the verified visitor; without one, fields of the contact are null. Ours: no page says what is sent. */
	contact: Contact | undefined;
	/** Milliseconds until the service gives up. */
	patienceMs: number;
}

/**
 * Checks a custom action as the dashboard does when it is saved.
 *
 * @param isLocalAllowed whether the URL may be one of this machine, without TLS
 * @throws Refusal with status 400
 */
export function checkedAction(action: CustomAction, isLocalAllowed: boolean): CustomAction {
	const { recognize, ...settings } = action;
	const checked = validated(customAction, settings);

	const { protocol, hostname } = new URL(checked.url);
	const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
	const isAllowed = protocol === 'https:' || (protocol === 'http:' && isLocal && isLocalAllowed);
	if (!isAllowed) throw new Refusal(400, 'The URL of a custom action must use HTTPS');

	return { ...checked, recognize };
}

/** Sends the request of an action. How long the service waits isn't documented. */
export async function runAction(
	action: CustomAction,
	inputs: Record<string, string>,
	{ contact, patienceMs }: ActionRun,
): Promise<ActionResult> {
	const result = { name: action.name, inputs };

	try {
		const response = await fetch(action.url, {
			method: action.method,
			headers: { 'content-type': 'application/json', ...action.headers },
			body: JSON.stringify(filled(action.body, inputs, contact)),
			signal: AbortSignal.timeout(patienceMs),
		});

		const text = await response.text();
		if (!response.ok) return { ...result, failure: `Status ${response.status}` };
		const output: unknown = customActionReply.parse(JSON.parse(text));
		return { ...result, output };
	} catch (error) {
		return { ...result, failure: (error as Error).name };
	}
}

/** A value with its variables put in. A text that is one variable becomes its value, with the value's type. */
function filled(value: unknown, inputs: Record<string, string>, contact?: Contact): unknown {
	const valueOf = (name: string) =>
		name.startsWith('contact.') ? fieldOf(contact, name.slice(8)) : inputs[name];

	if (typeof value === 'string') {
		const [only] = value.matchAll(variable);
		if (only?.[0] === value) return valueOf(only[1]) ?? null;
		return value.replace(variable, (_whole, name: string) => String(valueOf(name) ?? ''));
	}
	if (Array.isArray(value)) return value.map((one) => filled(one, inputs, contact));
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([key, one]) => [key, filled(one, inputs, contact)]),
	);
}

/** A field of a contact, such as `email` or `custom_attributes.plan`. */
function fieldOf(contact: Contact | undefined, path: string): unknown {
	let value: unknown = contact;
	for (const name of path.split('.')) {
		value = (value as Record<string, unknown> | null | undefined)?.[name];
	}
	return value;
}
