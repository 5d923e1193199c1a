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

function filesOf(packageFolder: string): string[] {
	const inFolders = ['credentials', 'icons', 'nodes'].flatMap((folder) =>
		existsSync(join(packageFolder, folder))
			? readdirSync(join(packageFolder, folder), { recursive: true, encoding: 'utf8' }).map(
					(file) => join(folder, file),
				)
			: [],
	);
	return [...inFolders, ...settings];
}

/** Why dist is not what a build would make now, such as "dist is older than package.json"; undefined if it is. */
export function whyStale(packageFolder: string): string | undefined {
	for (const file of filesOf(packageFolder)) {
		const built = builtOf(file);
		if (built === undefined) continue;
		const result = statSync(join(packageFolder, 'dist', built), { throwIfNoEntry: false });
		if (!result) return `dist is without ${file}`;
		const { mtimeMs } = statSync(join(packageFolder, file));
		if (result.mtimeMs + precision < mtimeMs) return `dist is older than ${file}`;
	}
	return undefined;
}

/** Throws if a file of the package has changed since it was built: tests of an old build would lie. */
export function refuseStaleBuild(packageFolder: string): void {
	const reason = whyStale(packageFolder);
	if (reason === undefined) return;
	throw new Error(`${reason}. The engine tests run what was built: run "npm run build" first.`);
}
