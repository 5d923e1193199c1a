/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { refuseStaleBuild, whyStale } from '../../lab/freshBuild';

let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-stale-'));
	for (const file of ['package.json', 'tsconfig.json', 'gulpfile.js', 'dist/package.json'])
		write(file, '{}', 200);
	write('nodes/Chatbase/Chatbase.node.ts', '', 100);
	write('dist/nodes/Chatbase/Chatbase.node.js', '', 200);
	write('dist/nodes/Chatbase/Chatbase.node.js.map', '', 200);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a file as it was changed some seconds after 1970. */
function write(file: string, content: string, time: number): void {
	const path = join(folder, file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, content);
	utimesSync(path, time, time);
}

it('a build from after the last change is tested, and not made again', () => {
	expect(() => refuseStaleBuild(folder)).not.toThrow();
	expect(whyStale(folder)).toBeUndefined();
});

it.each([
	['a node', 'nodes/Chatbase/Chatbase.node.ts', 'older than'],
	['the version', 'package.json', 'older than'],
	['a new file', 'nodes/Chatbase/api/client.ts', 'without'],
	['the settings of the compiler', 'tsconfig.json', 'older than'],
	['the way to build', 'gulpfile.js', 'older than'],
	['a schema', 'nodes/Chatbase/__schema__/v1.0.0/contact/get.json', 'without'],
])('a build from before %s changed is refused', (_, file, problem) => {
	write(file, '', 300);
	expect(() => refuseStaleBuild(folder)).toThrow(
		`dist is ${problem} ${file}. The engine tests run what was built: run "npm run build" first.`,
	);
});

it('a build without source maps is refused', () => {
	rmSync(join(folder, 'dist/nodes/Chatbase/Chatbase.node.js.map'));
	expect(whyStale(folder)).toBe('dist is without the map of nodes/Chatbase/Chatbase.node.ts');
});

it.each(['gone.js', 'gone.js.map'])('a build that still has %s of a file is refused', (file) => {
	write(`dist/nodes/Chatbase/${file}`, '', 300);
	expect(whyStale(folder)).toBe(`dist still has nodes/Chatbase/${file}`);
});
