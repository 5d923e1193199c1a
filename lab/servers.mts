import { execa } from 'execa';
import getPort from 'get-port';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

import { HelpfulError } from './help.mjs';
import { startGroup } from './processGroup.mjs';

/** A server that other programs use, on a port of the loopback interface. */
export interface Server {
	port: number;
	/** Ends it and removes its files. */
	stop(): Promise<void>;
}

interface User {
	uid: number;
	gid: number;
}

const debianPrograms = '/usr/lib/postgresql';

/** How to install the servers. */
export const serversHelp = 'n8n needs both (on Debian: apt-get install redis-server postgresql).';

/** The programs of PostgreSQL. */
export interface PostgresPrograms {
	initdb: string;
	postgres: string;
}

/** The programs of the servers that n8n's queue mode needs. */
export interface ServerPrograms extends PostgresPrograms {
	redis: string;
}

/** Looks for the programs of the servers, or names the servers that are not installed. */
export async function findServers(): Promise<ServerPrograms | { missing: string }> {
	const redis = find('redis-server', pathFolders());
	const postgres = await findPostgres();
	if (redis && postgres) return { redis, ...postgres };
	const missing = [...(redis ? [] : ['Redis']), ...(postgres ? [] : ['PostgreSQL'])];
	return { missing: missing.join(' and ') };
}

/** Undefined if PostgreSQL is not installed. */
export async function findPostgres(): Promise<PostgresPrograms | undefined> {
	const versions = existsSync(debianPrograms) ? await readdir(debianPrograms) : [];
	const folders = [
		...versions.sort().map((version) => join(debianPrograms, version, 'bin')),
		...pathFolders(),
	];
	const initdb = find('initdb', folders);
	const postgres = find('postgres', folders);
	return initdb && postgres ? { initdb, postgres } : undefined;
}

/** Starts a Redis that keeps nothing. */
export async function startRedis(program: string): Promise<Server> {
	const port = await getPort({ host: '127.0.0.1' });
	const folder = await mkdtemp(join(tmpdir(), 'redis-'));
	const settings = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
	return await start(program, settings, 'Ready to accept connections', port, folder);
}

/** Starts a PostgreSQL whose user `n8n` may do everything in the database `postgres`. */
export async function startPostgres(programs: PostgresPrograms): Promise<Server> {
	const port = await getPort({ host: '127.0.0.1' });
	const folder = await mkdtemp(join(tmpdir(), 'postgres-'));
	const user = await unprivileged();
	if (user) await chown(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	const settings = ['--username=n8n', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
	await execa(programs.initdb, [`--pgdata=${data}`, ...settings], { ...user, cwd: folder });
	return await start(
		programs.postgres,
		['-D', data, '-h', '127.0.0.1', '-p', String(port), '-k', folder, '-F'],
		'database system is ready to accept connections',
		port,
		folder,
		user,
	);
}

async function start(
	program: string,
	settings: string[],
	readyLine: string,
	port: number,
	folder: string,
	user?: User,
): Promise<Server> {
	const { child, kill } = startGroup(program, settings, {
		...user,
		cwd: folder,
		buffer: false,
		reject: false,
		stdin: 'ignore',
	});
	const ended = once(child, 'exit');
	let printed = '';
	const ready = new Promise<void>((resolve) => {
		child.all.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
			if (printed.includes(readyLine)) resolve();
		});
	});
	const failed = ended.then(() => {
		throw new HelpfulError(`${program} did not get ready. It said:\n${printed}`);
	});
	await Promise.race([ready, failed]);
	return {
		port,
		async stop() {
			kill('SIGINT');
			await ended;
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** PostgreSQL refuses to run as root, so it runs as the user that its package has made. */
async function unprivileged(): Promise<User | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	const read = async (kind: string) => Number((await execa('id', [kind, 'postgres'])).stdout);
	return { uid: await read('-u'), gid: await read('-g') };
}

function pathFolders(): string[] {
	return (process.env.PATH ?? '').split(delimiter);
}

function find(program: string, folders: string[]): string | undefined {
	return folders.map((folder) => join(folder, program)).find(existsSync);
}
