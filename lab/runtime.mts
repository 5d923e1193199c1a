import { execa, ExecaError } from 'execa';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { HelpfulError, type Report } from './help.mjs';
import { startGroup } from './processGroup.mjs';
import { runtimeFolder, runtimeSource } from './paths.mjs';

const markerFile = join(runtimeFolder, 'installed.txt');
const lockFile = join(runtimeSource, 'package-lock.json');

/** The Node.js that the pinned n8n runs on: newer than the one this package asks for. */
export const runtimeNode = join(runtimeFolder, 'node_modules/node/bin/node');

/** The script that starts the pinned n8n. */
export const runtimeN8n = join(runtimeFolder, 'node_modules/n8n/bin/n8n');

/** An installed n8n: the programs by which it is started. */
export interface Runtime {
	node: string;
	n8n: string;
}

export const pinned: Runtime = { node: runtimeNode, n8n: runtimeN8n };

/**
 * Installs the pinned n8n with its own Node.js, unless it is there already. The marker is written
 * last, so an installation that was interrupted starts again, from what npm has in its cache.
 */
export async function ensureRuntime(report: Report = () => {}): Promise<void> {
	const wanted = await fingerprint();
	if ((await readMarker()) === wanted) return;

	await rm(markerFile, { force: true });
	await mkdir(runtimeFolder, { recursive: true });
	for (const name of ['package.json', 'package-lock.json', '.npmrc']) {
		await copyFile(join(runtimeSource, name), join(runtimeFolder, name));
	}
	await installPackages(report);
	report('Building the database driver and unpacking Node.js');
	await npm(
		runtimeFolder,
		['rebuild', 'node', 'sqlite3', '--ignore-scripts=false', '--foreground-scripts'],
		report,
	);
	await execa(runtimeNode, [runtimeN8n, '--version']);
	await writeFile(markerFile, wanted);
}

/** An n8n other than the pinned one, as npm is asked for it. */
export interface OtherN8n {
	version: string;
	/** Installs no package that was published later, so that later installations are the same. */
	before: string;
	/** Versions of packages with which n8n starts, where npm would choose others or find none. */
	overrides: Record<string, string>;
	/** Peers that n8n's nodes need, which npm does not install here (`legacy-peer-deps`). */
	peers: Record<string, string>;
}

/**
 * Installs another n8n beside the pinned one, unless it is there already. It runs on the Node.js of
 * the pinned one.
 */
export async function ensureOtherRuntime(other: OtherN8n, report: Report): Promise<Runtime> {
	const folder = `${runtimeFolder}-${other.version}`;
	const marker = join(folder, 'installed.txt');
	const n8n = join(folder, 'node_modules/n8n/bin/n8n');
	const runtime = { node: runtimeNode, n8n };
	const { version, before, overrides, peers } = other;
	const manifest = JSON.stringify({
		name: 'n8n-runtime',
		version,
		private: true,
		dependencies: { n8n: version, ...peers },
		overrides,
	});
	if (existsSync(marker) && (await readFile(marker, 'utf8')) === manifest) return runtime;

	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, 'package.json'), manifest);
	await copyFile(join(runtimeSource, '.npmrc'), join(folder, '.npmrc'));
	report(`Installing n8n ${version}`);
	await npm(folder, ['install', `--before=${before}`, '--no-audit', '--no-fund'], () => {});
	await npm(folder, ['rebuild', 'sqlite3', '--ignore-scripts=false'], () => {});
	await execa(runtimeNode, [n8n, '--version']);
	await writeFile(marker, manifest);
	return runtime;
}

/** An installation is reused only if these values are the same. */
async function fingerprint(): Promise<string> {
	const hash = createHash('sha256')
		.update(await readFile(lockFile))
		.digest('hex');
	return `${process.platform}-${process.arch} ${hash}\n`;
}

async function readMarker(): Promise<string | undefined> {
	return existsSync(markerFile) ? await readFile(markerFile, 'utf8') : undefined;
}

/** npm says nothing while it installs, so the packages that have arrived are counted. */
async function installPackages(report: Report): Promise<void> {
	const lock = JSON.parse(await readFile(lockFile, 'utf8')) as { packages: object };
	const manifests = Object.keys(lock.packages)
		.filter((folder) => folder !== '')
		.map((folder) => join(runtimeFolder, folder, 'package.json'));
	const timer = setInterval(() => {
		report(`${manifests.filter(existsSync).length} of ${manifests.length} packages`);
	}, 1000);
	try {
		// Without a network, npm would try for more than a minute.
		const patience = '--fetch-retry-maxtimeout=10000';
		await npm(runtimeFolder, ['ci', '--no-audit', '--no-fund', patience], () => {});
	} finally {
		clearInterval(timer);
	}
}

async function npm(cwd: string, command: string[], report: Report): Promise<void> {
	try {
		const { child } = startGroup('npm', [...command, '--loglevel=error'], { cwd });
		for await (const line of child.iterable({ from: 'all' })) report(line);
		await child;
	} catch (error) {
		throw error instanceof ExecaError ? explain(error) : error;
	}
}

const explanations: Array<[RegExp, string]> = [
	[
		/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|ETIMEDOUT/,
		'The npm registry can not be reached. The first run installs n8n from there: connect to the network (or set npm\'s "registry" or "proxy"), then run the same command again.',
	],
	[
		/ENOSPC/,
		'The disk is full. An installed n8n takes about 2.5 GB: make room, then run the same command again.',
	],
	[
		/gyp ERR!/,
		"n8n's database driver had to be compiled, which failed. Install Python 3, make and a C++ compiler (on Debian: apt-get install python3 make g++), then run the same command again.",
	],
];

function explain(error: ExecaError): Error {
	const output = String(error.all ?? '');
	const known = explanations.find(([symptom]) => symptom.test(output));
	return known
		? new HelpfulError(known[1], { cause: error })
		: new HelpfulError(`Installing n8n failed. npm said:\n${output.trim()}`, { cause: error });
}
