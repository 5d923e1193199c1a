import { type ListrTaskWrapper } from 'listr2';

import { type Report } from '../test/n8n/help.mjs';

const secondsBetweenLines = process.stdout.isTTY ? 0.1 : 15;

/** Shows what a step is doing below its title; where nobody watches, a line now and then. */
export function reportTo(task: Pick<ListrTaskWrapper<unknown, never, never>, 'output'>): Report {
	let last = Date.now();
	return (line) => {
		if (line.trim() === '' || Date.now() - last < secondsBetweenLines * 1000) return;
		last = Date.now();
		task.output = line.trim();
	};
}
