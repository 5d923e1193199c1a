/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Copied files keep their time, with fewer digits. In milliseconds. */
const precision = 1;

/** What the build makes of a source; undefined for types and notes, which it leaves out. */
function builtOf(file: string): string | undefined {
	if (/\.ts$/.test(file)) return file.replace(/\.ts$/, '.js');
	return /\.json$|^icons\/.*\.svg$|^package\.json$/.test(file) ? file : undefined;
}

function filesOf(packageFolder: string): string[] {
	const inFolders = ['credentials', 'icons', 'nodes'].flatMap((folder) =>
		existsSync(join(packageFolder, folder))
			? readdirSync(join(packageFolder, folder), { recursive: true, encoding: 'utf8' }).map(
					(file) => join(folder, file),
				)
			: [],
	);
	return [...inFolders, 'package.json'];
}

/** Throws if a file of the package has changed since it was built: tests of an old build would lie. */
export function refuseStaleBuild(packageFolder: string): void {
	for (const file of filesOf(packageFolder)) {
		const built = builtOf(file);
		if (built === undefined) continue;
		const result = statSync(join(packageFolder, 'dist', built), { throwIfNoEntry: false });
		const { mtimeMs } = statSync(join(packageFolder, file));
		if (result && result.mtimeMs + precision >= mtimeMs) continue;
		throw new Error(
			`dist is ${result ? 'older than' : 'without'} ${file}. The engine tests run what was built: run "npm run build" first.`,
		);
	}
}
