/** What a test sets for version 1 beside the switches: a delay, a limit and faults. No document decides them. */
export interface Conditions {
	/** Milliseconds between two chunks of a stream. */
	streamDelayMs: number;
	/** Bytes in a chunk of a stream; 1 cuts every character of several bytes. */
	streamChunkBytes: number;
	/** Most contacts a chatbot may hold, else 400. */
	maximumContacts: number;
	/** Whether a creation looks for its External ID. Without it, a second contact has the ID. */
	createComparesIds: boolean;
	/** What a refused creation of several contacts leaves. A service without transactions leaves some. */
	refusedBatch: 'leavesNothing' | 'leavesGoodOnes' | 'leavesThoseBefore';
	/** A zero character in a text, which PostgreSQL can't store. */
	nulInText: 'kept' | 'serverError';
}

export const defaultConditions: Conditions = {
	streamDelayMs: 0,
	streamChunkBytes: 16,
	maximumContacts: Infinity,
	createComparesIds: true,
	refusedBatch: 'leavesNothing',
	nulInText: 'kept',
};
