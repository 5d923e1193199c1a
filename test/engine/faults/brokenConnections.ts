import type { Fault } from '../../../service';

/** Every way in which a connection breaks before its whole answer has arrived. */
export const brokenConnections: Fault[] = [
	{ kind: 'resetBefore' },
	{ kind: 'resetAfter' },
	{ kind: 'resetMidBody' },
	{ kind: 'stall' },
	{ kind: 'stall', handled: true },
	{ kind: 'cutJson' },
];
