import { isObject } from '../Chatbase/values/object';
import { isSubject } from './events';
import type { Memory } from './memory';
import { isMemory, readMemory } from './memory';

/** What n8n keeps for the trigger. Nobody can tell what became of it meanwhile. */
export interface Stored {
	/** What the last poll remembered. */
	memory?: unknown;
	/** What was remembered of other subjects, so that a wrong choice that is corrected loses nothing. */
	others?: unknown;
	/** How many records without a time the log was told of. */
	undated?: unknown;
}

const mostOthers = 3;

/** Finds what was remembered of a subject, if anything. */
export function recall(stored: unknown, subject: string): Memory<unknown> | undefined {
	for (const each of memoriesIn(stored)) {
		const memory = readMemory<unknown>(each, subject);
		if (memory) return memory;
	}
	return undefined;
}

/** Whether there is a memory that cannot be used as it is, and that is not of another subject. */
export function isDamaged({ memory }: Stored, subject: string): boolean {
	if (memory === undefined || (isMemory(memory) && isSubject(memory.subject))) return false;
	return !isObject(memory) || !isSubject(memory.subject) || memory.subject === subject;
}

/** Remembers, in n8n's own object. */
export function remember(stored: Stored, memory: Memory<unknown>): void {
	const others = memoriesIn(stored).filter(
		(other) => isMemory(other) && isSubject(other.subject) && other.subject !== memory.subject,
	);
	stored.memory = memory;
	if (others.length > 0) stored.others = others.slice(0, mostOthers);
	else delete stored.others;
}

function memoriesIn(stored: unknown): unknown[] {
	if (!isObject(stored)) return [];
	const { memory, others } = stored;
	return [memory, ...(Array.isArray(others) ? others : [])];
}
