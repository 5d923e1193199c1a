import { execa, type Options } from 'execa';

import { atEnd } from './cleanup.mjs';

type GroupOptions = Pick<
	Options,
	'buffer' | 'cwd' | 'env' | 'extendEnv' | 'gid' | 'reject' | 'stdin' | 'uid'
>;

/**
 * Starts a program in a process group of its own. Ctrl+C does not reach it, what it starts itself
 * ends with it, and it never outlives this process.
 */
export function startGroup(file: string, command: string[], options: GroupOptions) {
	const child = execa(file, command, { ...options, all: true, detached: true, cleanup: false });
	const kill = (signal: NodeJS.Signals) => {
		try {
			process.kill(-child.pid!, signal);
		} catch {
			// The group has ended on its own.
		}
	};
	const forget = atEnd(() => kill('SIGKILL'));
	child.once('exit', () => {
		// Whatever the program started and left behind.
		kill('SIGKILL');
		forget();
	});
	return { child, kill };
}
