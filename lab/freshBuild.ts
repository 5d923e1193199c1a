/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Copied files keep their time, with fewer digits. In milliseconds. */
const precision = 1;

/** What each build writes anew, so that its time is that of the build. */
const lastWritten = 'package.json';

/** The settings of the build. */
const settings = ['gulpfile.js', 'package.json', 'tsconfig.json'];

/** What the build makes of a source; undefined for types and notes, which it leaves out. */
function builtOf(file: string): string | undefined {
	if (settings.includes(file)) return lastWritten;
	if (/\.ts$/.test(file)) return file.replace(/\.ts$/, '.js');
	return /\.json$|^icons\/.*\.svg$/.test(file) ? file : undefined;
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
		const result = builtOf(file);
		if (result === undefined) continue;
		built.add(result);
		const made = statSync(join(dist, result), { throwIfNoEntry: false });
		if (!made) return `dist is without ${file}`;
		const { mtimeMs } = statSync(join(packageFolder, file));
		if (made.mtimeMs + precision < mtimeMs) return `dist is older than ${file}`;
	}

	// The maps are those of a build for the debugger.
	const left = filesIn(dist).find((file) => !built.has(file) && !file.endsWith('.map'));
	return left && `dist still has ${left}`;
}

/** Throws if a file of the package has changed or gone since it was built: tests of an old build would lie. */
export function refuseStaleBuild(packageFolder: string): void {
	const reason = whyStale(packageFolder);
	if (reason === undefined) return;
	throw new Error(`${reason}. The engine tests run what was built: run "npm run build" first.`);
}
