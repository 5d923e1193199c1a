/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** Every promise of docs/contributors/promises.md has a suite, and every suite of the engine keeps one or tests one operation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const project = resolve(__dirname, '../..');
const tests = join(project, 'test');
const rows = readFileSync(join(project, 'docs/contributors/promises.md'), 'utf8')
	.split('\n')
	.flatMap((line) => {
		const [, promise, suites] = /^\| ([^|]+) \| ([^|]*)\|$/.exec(line) ?? [];
		const isHeading = /^(promise|---)$|^\*\*[^.]+\*\*$/.test(promise);
		return promise && !isHeading ? [{ promise, suites: suites.match(/[^`\s]+/g) ?? [] }] : [];
	});
const named = new Set(rows.flatMap(({ suites }) => suites));

it('every promise names suites, which exist', () => {
	expect(rows.length).toBeGreaterThan(25);
	expect(rows.filter(({ suites }) => suites.length === 0)).toEqual([]);
	const missing = [...named].filter((suite) => !existsSync(join(tests, `${suite}.test.ts`)));
	expect(missing).toEqual([]);
});

it.each(['run', 'faults', 'hostile'])('every suite in engine/%s keeps a promise', (folder) => {
	const suites = readdirSync(join(tests, 'engine', folder))
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => `engine/${folder}/${file.replace('.test.ts', '')}`);
	expect(suites.filter((suite) => !named.has(suite))).toEqual([]);
});
