import { execa, type Options } from 'execa';

import { atEnd } from './cleanup.mjs';

type GroupOptions = Pick<
	Options,
	'buffer' | 'cwd' | 'env' | 'extendEnv' | 'gid' | 'reject' | 'stdin' | 'uid'
>;

/**
 * Starts a program in a separate process group. Ctrl+C does not reach it, its child processes
 * end with it, and it ends with this process.
 */
export function startGroup(file: string, command: string[], options: GroupOptions) {
	const child = execa(file, command, { ...options, all: true, detached: true, cleanup: false });
	const kill = (signal: NodeJS.Signals) => {
		try {
			process.kill(-child.pid!, signal);
		} catch {
			// The group has already ended.
		}
	};
	const forget = atEnd(() => kill('SIGKILL'));
	child.once('exit', () => {
		// Child processes that the program left behind.
		kill('SIGKILL');
		forget();
	});
	return { child, kill };
}
