import { execa, ExecaError } from 'execa';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { whyStale } from './freshBuild.js';
import { HelpfulError, type Report } from './help.mjs';
import { projectFolder } from './paths.mjs';

/** Compiles the package into dist, unless it holds what a build would make. */
export async function buildNode(report: Report = () => {}): Promise<void> {
	if (whyStale(projectFolder) === undefined) return;
	try {
		const run = execa('npm', ['run', 'build'], { cwd: projectFolder, all: true });
		for await (const line of run.iterable({ from: 'all' })) report(line);
		await run;
	} catch (error) {
		if (!(error instanceof ExecaError)) throw error;
		throw new HelpfulError(`The package could not be built:\n${error.all}`, { cause: error });
	}
}

/**
 * Installs the built package as a community node: packed as npm would publish it, unpacked
 * as n8n does it. So files that package.json leaves out are missing here too.
 *
 * @returns the folder of the installed package.
 */
export async function installNode(userFolder: string): Promise<string> {
	const manifest = await readManifest(projectFolder);
	const nodesFolder = join(userFolder, '.n8n', 'nodes');
	const packageFolder = join(nodesFolder, 'node_modules', manifest.name);
	const downloads = await mkdtemp(join(tmpdir(), 'n8n-package-'));
	try {
		await execa('npm', ['pack', '--pack-destination', downloads], { cwd: projectFolder });
		await mkdir(packageFolder, { recursive: true });
		const archive = join(downloads, `${manifest.name}-${manifest.version}.tgz`);
		await execa('tar', ['-xzf', archive, '-C', packageFolder, '--strip-components=1']);
	} finally {
		await rm(downloads, { recursive: true, force: true });
	}
	await writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [manifest.name]: manifest.version },
	});
	return packageFolder;
}

async function readManifest(folder: string): Promise<{ name: string; version: string }> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
}

async function writeJson(path: string, value: unknown): Promise<void> {
	await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}
