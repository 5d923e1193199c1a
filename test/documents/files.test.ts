/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A file that code opens has to be in the repository: otherwise it is missing in every other clone. */
const project = resolve(__dirname, '../..');
let tracked: string[];
let trackedNames: Set<string>;
let topFolders: Set<string>;

beforeAll(async () => {
	// A copy that was downloaded as an archive holds what git tracks, besides what commands have made since.
	tracked = existsSync(join(project, '.git'))
		? (await promisify(execFile)('git', ['ls-files'], { cwd: project })).stdout.trim().split('\n')
		: readdirSync(project, { recursive: true, encoding: 'utf8' });
	trackedNames = new Set(tracked.map((file) => basename(file)));
	topFolders = new Set(
		tracked.filter((file) => file.includes('/')).map((file) => file.split('/')[0]),
	);
});

const isTracked = (path: string) =>
	path === '.' || tracked.some((file) => file === path || file.startsWith(`${path}/`));

/** The files that a path can mean: the source of what is compiled, and what an import leaves out. */
function sourcesOf(path: string): string[] {
	const source = path.replace(/^dist\//, '').replace(/\.(m?)js$/, '.$1ts');
	return [path, source, `${path}.ts`, join(path, 'index.ts')];
}

/** Folders that npm and the build make. */
const isMade = (path: string) => /^(dist|node_modules)\/?$/.test(path);

/** Paths and names of files in the texts of code that are not in the repository. */
function missingIn(file: string): string[] {
	const code = readFileSync(join(project, file), 'utf8');
	const texts = [...code.matchAll(/(['"])([\w@./-]+)\1/g)].map(([, , text]) => text);
	return texts
		.filter((text) => {
			if (/^\.{1,2}\/.*\w/.test(text)) {
				const path = normalize(join(dirname(file), text));
				return !isMade(path) && !sourcesOf(path).some(isTracked);
			}
			const [folder] = text.split('/');
			if (topFolders.has(folder) || (folder === 'dist' && file === 'package.json')) {
				return /\/.*\.\w+$/.test(text) && !sourcesOf(text).some(isTracked);
			}
			return /^[\w.-]+\.(json|md|mts|tgz)$/.test(text) && !trackedNames.has(text);
		})
		.map((text) => `${file}: ${text}`);
}

it('has every file in the repository that code opens', () => {
	// Lock files, workflows and hostile values name what is no file of ours.
	const code = tracked.filter(
		(file) =>
			/\.(m?[jt]s|json)$/.test(file) &&
			!/package-lock|^(node_modules|dist|\.)|^examples\/|^bench\/peers\/.*json$|\/hostile\/values/.test(
				file,
			),
	);
	expect(code.length).toBeGreaterThan(100);
	expect(code.flatMap(missingIn)).toEqual([]);
});
