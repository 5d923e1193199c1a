/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Copied files keep their time, with fewer digits. In milliseconds. */
const precision = 1;

/** What each build writes anew, so that its time is that of the build. */
const lastWritten = 'package.json';

/** The settings of the build. */
const settings = ['gulpfile.js', 'package.json', 'tsconfig.json'];

/** A file that a build makes. */
interface BuiltFile {
	/** Where it is in dist. */
	path: string;
	/** How it is named to people. */
	name: string;
}

/** What the build makes of a source: nothing of types and notes, which it leaves out. */
function builtOf(file: string): BuiltFile[] {
	if (settings.includes(file)) return [{ path: lastWritten, name: file }];
	if (file.endsWith('.ts')) {
		const path = file.replace(/\.ts$/, '.js');
		return [
			{ path, name: file },
			{ path: `${path}.map`, name: `the map of ${file}` },
		];
	}

	const isCopied = /\.json$|^icons\/.*\.svg$/.test(file);
	return isCopied ? [{ path: file, name: file }] : [];
}

/** The files of the folders that a build reads, or has made, such as `nodes/Chatbase/Chatbase.node.ts`. */
function filesIn(folder: string): string[] {
	return ['credentials', 'icons', 'nodes'].flatMap((part) =>
		existsSync(join(folder, part))
			? readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
					.map((file) => join(part, file))
					.filter((file) => statSync(join(folder, file)).isFile())
			: [],
	);
}

/** Why dist is not what a build would make now, such as "dist is older than package.json"; undefined if it is. */
export function whyStale(packageFolder: string): string | undefined {
	const dist = join(packageFolder, 'dist');
	const built = new Set<string>();
	for (const file of [...filesIn(packageFolder), ...settings]) {
		const { mtimeMs } = statSync(join(packageFolder, file));
		for (const { path, name } of builtOf(file)) {
			built.add(path);
			const made = statSync(join(dist, path), { throwIfNoEntry: false });
			if (!made) return `dist is without ${name}`;
			if (made.mtimeMs + precision < mtimeMs) return `dist is older than ${file}`;
		}
	}

	const left = filesIn(dist).find((file) => !built.has(file));
	return left && `dist still has ${left}`;
}

/** Throws if a file of the package has changed or gone since it was built: tests of an old build would lie. */
export function refuseStaleBuild(packageFolder: string): void {
	const reason = whyStale(packageFolder);
	if (reason === undefined) return;
	throw new Error(`${reason}. The engine tests run what was built: run "npm run build" first.`);
}
