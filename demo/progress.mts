import { type ListrTaskWrapper } from 'listr2';

import { type Report } from '../lab/help.mjs';

const secondsBetweenLines = process.stdout.isTTY ? 0.1 : 15;

/** Shows the output of a step below its title: each line in a terminal, else a line every 15 seconds. */
export function reportTo(task: Pick<ListrTaskWrapper<unknown, never, never>, 'output'>): Report {
	let last = Date.now();
	return (line) => {
		if (line.trim() === '' || Date.now() - last < secondsBetweenLines * 1000) return;
		last = Date.now();
		task.output = line.trim();
	};
}
