/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { execFile } from 'node:child_process';
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { caseRuns } from '../propertyRuns';

/** What documents and CI tell people to type has to work. */
const project = resolve(__dirname, '../..');
const run = promisify(execFile);
const read = (path: string) => readFileSync(join(project, path), 'utf8');
const filesIn = (folder: string, pattern: RegExp) =>
	readdirSync(join(project, folder))
		.filter((file) => pattern.test(file))
		.map((file) => join(folder, file));

const { scripts, version } = JSON.parse(read('package.json')) as {
	scripts: Record<string, string>;
	version: string;
};
const documents = ['.', 'docs', 'docs/contributors', 'examples'].flatMap((folder) =>
	filesIn(folder, /\.md$/),
);
const workflows = filesIn('.github/workflows', /\.yml$/);

/** Commands of npm itself, which need no script. */
const npmCommands = ['ci', 'i', 'ls', 'pack', 'publish', 'uninstall', 'version', 'view'];

/** The commands in code blocks and between backticks, one by one and without comments. */
function commandsOf(document: string): string[] {
	const blocks = [...document.matchAll(/^```bash\n(.*?)^```/gms)];
	const phrases = [...document.replace(/^```.*?^```/gms, '').matchAll(/`([^`]+)`/g)];
	const lines = [
		...blocks.flatMap(([, block]) => block.split('\n')),
		...phrases.map(([, phrase]) => phrase.replaceAll('\n', ' ')),
	];
	return commandsIn(lines);
}

/** The commands that a workflow of GitHub runs. */
function stepsOf(workflow: string): string[] {
	return commandsIn([...workflow.matchAll(/run: (.+)$/gm)].map(([, line]) => line));
}

function commandsIn(lines: string[]): string[] {
	return lines
		.flatMap((line) => line.replace(/\s#.*/, '').split('&&'))
		.map((command) => command.trim())
		.filter((command) => /^(npm|npx|bash) \S/.test(command));
}

/** The name of the script that `npm run` or `npm test` starts; undefined for any other command. */
function scriptIn(command: string): string | undefined {
	return /^npm (?:run )?([\w:]+)/.exec(command.replace('npm test', 'npm run test'))?.[1];
}

function problemOf(command: string): string[] {
	const [program, first, second] = command.split(' ');
	const fails = (isRight: boolean, problem: string) => (isRight ? [] : [`${command}: ${problem}`]);
	if (program === 'bash') return fails(existsSync(join(project, first)), 'no such file');
	if (program === 'npx') {
		const file = first === 'tsx' ? second : `node_modules/.bin/${first}`;
		return fails(existsSync(join(project, file)), 'no such program');
	}
	const script = scriptIn(command)!;
	return fails(script in scripts || npmCommands.includes(script), 'no such script');
}

const named = [
	...documents.flatMap((document) => commandsOf(read(document))),
	...workflows.flatMap((workflow) => stepsOf(read(workflow))),
];

describe('commands', () => {
	it('are named by documents and workflows only if they exist', () => {
		expect(named.length).toBeGreaterThan(30);
		expect(named.flatMap(problemOf)).toEqual([]);
	});

	it('are scripts whose programs are installed', () => {
		const programs = Object.values(scripts)
			.flatMap((script) => script.split(' && '))
			.map((command) => command.split(' '))
			.map(([program, file]) => (program === 'tsx' ? file : `node_modules/.bin/${program}`))
			.filter((file) => file !== 'node_modules/.bin/npm');
		for (const file of programs) expect(existsSync(join(project, file)) || file).toBe(true);
	});

	it('are valid in the script of CI', async () => {
		await run('bash', ['-n', '.ci/run'], { cwd: project });
	});

	/** Whether a step of Publish passes when the tag has this name. */
	async function publishPasses(step: RegExp, tag: string): Promise<boolean> {
		const [, command] = step.exec(read('.github/workflows/publish.yml'))!;
		const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-publish-'));
		try {
			for (const file of ['package.json', 'CHANGELOG.md'])
				copyFileSync(join(project, file), join(folder, file));
			mkdirSync(join(folder, 'release'));
			const env = { ...process.env, GITHUB_REF_NAME: tag };
			await run('bash', ['-c', command], { cwd: folder, env });
			return true;
		} catch {
			return false;
		} finally {
			rmSync(folder, { recursive: true, force: true });
		}
	}

	it.each([
		['passes', 'the version of the package', (version: string) => version, true],
		['passes', 'the version of the package after a v', (version: string) => `v${version}`, true],
		['fails', 'another version', (version: string) => `v${version}1`, false],
	])('of Publish: the first step %s when the tag names %s', async (_, _name, tagOf, passes) => {
		expect(await publishPasses(/run: (test .+)$/m, tagOf(version))).toBe(passes);
	});

	it.each([
		['finds', 'a version of the changelog', 'v0.1.0', true],
		['refuses', 'a version without notes', 'v0.1.01', false],
	])('of Publish: the step for the notes %s %s', async (_, _name, tag, passes) => {
		expect(await publishPasses(/run: (awk .+)$/m, tag)).toBe(passes);
	});

	// CI runs the others itself.
	const ci = read('.ci/run').match(/npm (test|run .+)$/gm)!;
	const optionsByProgram = new Map<string, string[]>();
	for (const command of named.filter((one) => !ci.includes(one))) {
		const [start, options] = command.split(' -- ');
		const isPlainInCi = options === undefined && ci.some((one) => one.startsWith(start));
		const file = /^tsx (\S+)$/.exec(scripts[scriptIn(command) ?? ''] ?? '')?.[1];
		if (!file || isPlainInCi) continue;
		const known = optionsByProgram.get(file) ?? [];
		optionsByProgram.set(file, [...known, ...(options?.split(' ') ?? [])]);
	}

	it.each(caseRuns([...optionsByProgram], 3))(
		'%s has the options of documents',
		async (...entry) => {
			const [file, options] = entry;
			const program = ['--import', 'tsx', file, ...options, '--help'];
			const { stdout } = await run(process.execPath, program, { cwd: project });
			expect(stdout).toContain('npm run ');
		},
		60_000,
	);
});
