/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const tests = resolve(__dirname, '..');

it('names only suites that exist in the index of behaviors', () => {
	const index = readFileSync(join(tests, 'README.md'), 'utf8');
	const named = [...index.matchAll(/`([\w/]+\.(?:test\.)?ts)`/g)].map(([, path]) => path);
	expect(named.length).toBeGreaterThan(50);
	expect(named.filter((path) => !existsSync(join(tests, path)))).toEqual([]);
});
