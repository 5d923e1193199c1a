import { type IDataObject, jsonParse } from 'n8n-workflow';

import { isObject, ownValue } from '../Chatbase/values/json';
import type { EventState } from './changes';

/** Raised when states change their form. A state of another form is not read. */
const version = 2;

/** States to save, including the current one, so that correcting a wrong chatbot or event loses nothing. */
const maxStates = 4;

/** What n8n's static data holds for an event of a chatbot. */
export interface LoadedState {
	/** Undefined before the first poll, and if it can't be read. */
	state?: EventState;
	/** Whether something was saved that is damaged, or of another version of the package. */
	isUnreadable: boolean;
}

export function loadState({ state: states = {} }: IDataObject, key: string): LoadedState {
	const saved: unknown = isObject(states) ? ownValue(states, key) : states;
	if (saved === undefined) return { isUnreadable: false };

	const read = jsonParse<unknown>(String(saved), { fallbackValue: null });
	if (!isObject(read) || read.version !== version) return { isUnreadable: true };

	return { state: read.state as unknown as EventState, isUnreadable: false };
}

/** As one text, which is whole or can't be read. */
export function saveState(stored: IDataObject, key: string, state: EventState): void {
	const states = Object.entries(isObject(stored.state) ? stored.state : {});
	const others = states.filter(
		([other, saved]) => other !== key && typeof saved === 'string',
	);
	const saved = JSON.stringify({ version, state });
	stored.state = Object.fromEntries([[key, saved], ...others].slice(0, maxStates));
}
