import getPort from 'get-port';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { atEnd } from './cleanup.mjs';
import { HelpfulError, type Report } from './help.mjs';
import { startGroup } from './processGroup.mjs';
import { inContainer, type Image } from './container.mjs';
import { pinned, type Runtime } from './runtime.mjs';

/** A process of n8n, with those that it started. */
export interface Worker {
	/** Holds `.n8n`, with the database, the settings and the community nodes. */
	userFolder: string;
	/** All that n8n has printed so far. */
	log(): string;
	/** Settles when n8n ends. */
	ended: Promise<unknown>;
	/** Ends n8n and its child processes; a user folder that was made for it is removed. */
	stop(): Promise<void>;
	/** The same at once, as when a machine fails. */
	kill(): Promise<void>;
}

/** A running n8n. */
export interface N8n extends Worker {
	/** The address of the editor, without a slash at its end. */
	baseUrl: string;
}

export interface WorkerOptions {
	/** Which n8n; without it the pinned one. */
	runtime?: Runtime | Image;
	/** Kept after the stop, for starting again; without it a temporary one is used. */
	userFolder?: string;
	/** Settings of n8n beyond those of every instance here. */
	env?: Record<string, string>;
	/** Called before the start, to put something into the user folder. */
	prepare?: (userFolder: string) => Promise<unknown>;
	/** Called with what n8n prints until it is ready. */
	report?: Report;
}

export interface StartOptions extends WorkerOptions {
	/** A certain port for the editor; without it any free one. */
	port?: number;
}

const startSeconds = 300;
const graceSeconds = 5;

/** n8n reads about a hundred variables; only these pass from the present environment. */
const inherited = ['PATH', 'HOME', 'USERPROFILE', 'SystemRoot', 'TMPDIR', 'TEMP', 'LANG', 'TZ'];

/** No external requests, and no questions to the user. */
const quiet = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'instance-ai,mcp-registry',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
};

/** Starts the installed n8n on free ports and waits until its editor answers. */
export async function startN8n(options: StartOptions = {}): Promise<N8n> {
	const port = await freePort(options.port);
	// Printed as the last step of the start; the readiness probe says yes before that.
	const server = await start(['start'], 'Editor is now accessible', options, {
		N8N_PORT: String(port),
	});
	return { ...server, baseUrl: `http://127.0.0.1:${port}` };
}

/** Starts a process that takes executions from a queue, and waits until it is ready for them. */
export async function startWorker(
	concurrency: number,
	options: WorkerOptions = {},
): Promise<Worker> {
	const command = ['worker', `--concurrency=${concurrency}`];
	return await start(command, 'n8n worker is now ready', options, {});
}

async function start(
	command: string[],
	readyLine: string,
	options: WorkerOptions,
	env: Record<string, string>,
): Promise<Worker> {
	const userFolder = options.userFolder ?? (await mkdtemp(join(tmpdir(), 'n8n-user-')));
	const removesFolder = options.userFolder === undefined;
	const forgetFolder = atEnd(() => {
		if (removesFolder) rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
	});
	const removeFolder = async () => {
		if (removesFolder) await rm(userFolder, { recursive: true, force: true, maxRetries: 5 });
		forgetFolder();
	};

	try {
		await options.prepare?.(userFolder);
		const server = await launch(command, readyLine, userFolder, options, env);
		return {
			userFolder,
			log: server.log,
			ended: server.ended,
			async stop() {
				await server.stop();
				await removeFolder();
			},
			async kill() {
				await server.kill();
				await removeFolder();
			},
		};
	} catch (error) {
		await removeFolder();
		throw error;
	}
}

async function freePort(wanted: number | undefined): Promise<number> {
	const port = await getPort({ port: wanted, host: '127.0.0.1' });
	if (wanted === undefined || port === wanted) return port;
	throw new HelpfulError(
		`Port ${wanted} is in use by another program. Name another port, or none: a free one is found then.`,
	);
}

async function launch(
	command: string[],
	readyLine: string,
	userFolder: string,
	{ runtime = pinned, env, report }: WorkerOptions,
	ports: Record<string, string>,
) {
	// n8n leaves files in the folder for temporary ones.
	const temporary = join(userFolder, 'tmp');
	await mkdir(temporary, { recursive: true });
	const settings = {
		...quiet,
		N8N_USER_FOLDER: userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		TMPDIR: temporary,
		TEMP: temporary,
		...ports,
		N8N_RUNNERS_BROKER_PORT: String(await getPort({ host: '127.0.0.1' })),
		N8N_SECURE_COOKIE: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: String(graceSeconds),
		...env,
	};
	const [program, ...start] =
		'image' in runtime
			? inContainer(runtime, userFolder, Object.keys(settings))
			: [runtime.node, runtime.n8n];
	const { child, kill: signal } = startGroup(program, [...start, ...command], {
		buffer: false,
		reject: false,
		stdin: 'ignore',
		extendEnv: false,
		env: {
			...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
			...settings,
		},
	});
	const ended = once(child, 'exit');

	let printed = '';
	let isReady = false;
	const ready = new Promise<void>((resolve) => {
		child.all.setEncoding('utf8').on('data', (text: string) => {
			printed += text;
			if (isReady) return;
			report?.(lastLines(printed, 1));
			isReady = printed.includes(readyLine);
			if (isReady) resolve();
		});
	});
	const log = () => printed;
	const stop = async () => {
		signal('SIGTERM');
		const timer = setTimeout(() => signal('SIGKILL'), (graceSeconds + 5) * 1000);
		await ended;
		clearTimeout(timer);
	};
	const kill = async () => {
		signal('SIGKILL');
		await ended;
	};

	const limit = setTimeout(() => signal('SIGKILL'), startSeconds * 1000);
	const failed = ended.then(() => Promise.reject(explain(printed)));
	await Promise.race([ready, failed]).finally(() => clearTimeout(limit));
	return { log, ended, stop, kill };
}

function lastLines(text: string, count: number): string {
	return text.trimEnd().split('\n').slice(-count).join('\n');
}

function explain(log: string): HelpfulError {
	const said = `n8n said:\n${lastLines(log, 20)}`;
	return /already in use|EADDRINUSE/.test(log)
		? new HelpfulError(
				`Another program took a port while n8n started. Run the same command again. ${said}`,
			)
		: new HelpfulError(`n8n did not get ready. ${said}`);
}
