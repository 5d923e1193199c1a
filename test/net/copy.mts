import { spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

export const project = resolve(import.meta.dirname, '../..');

const options: ts.CompilerOptions = {
	module: ts.ModuleKind.CommonJS,
	target: ts.ScriptTarget.ES2021,
	esModuleInterop: true,
	sourceMap: true,
};

/**
 * A copy of the project in a temporary folder, with its own build. Faults are put into the copy, so the files of the
 * project stay as they are, whatever ends a run.
 */
export class ProjectCopy {
	/** The sources of the node, such as `nodes/Chatbase/values/json.ts`, with their text. */
	readonly sources: ReadonlyMap<string, string>;

	private constructor(
		readonly folder: string,
		files: string[],
	) {
		const sources = files.filter((file) => /^(nodes|credentials)\/.*\.ts$/.test(file));
		this.sources = new Map(sources.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
	}

	static make(): ProjectCopy {
		const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-chatbase-net-'));
		const files = filesOfProject();
		for (const file of files) {
			mkdirSync(dirname(join(folder, file)), { recursive: true });
			cpSync(join(project, file), join(folder, file));
		}
		symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));

		const copy = new ProjectCopy(folder, files);
		for (const [file, text] of copy.sources) copy.build(file, text);
		copy.addAssets(files);
		return copy;
	}

	/** Changes one source and its build. */
	write(file: string, text: string): void {
		writeFileSync(join(this.folder, file), text);
		this.build(file, text);
	}

	restore(file: string): void {
		this.write(file, this.sources.get(file)!);
	}

	remove(): void {
		rmSync(this.folder, { recursive: true, force: true });
	}

	private build(file: string, text: string): void {
		const path = join(this.folder, 'dist', file.replace(/\.ts$/, '.js'));
		const { outputText, sourceMapText } = ts.transpileModule(text, {
			compilerOptions: options,
			fileName: file,
		});
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, outputText);
		writeFileSync(`${path}.map`, sourceMapText!);
	}

	/** What n8n reads beside the code, as `gulp assets` copies it, and the version. */
	private addAssets(files: string[]): void {
		const assets = /^(package\.json|icons\/.*\.svg|nodes\/.*\.json)$/;
		for (const file of files.filter((name) => assets.test(name))) {
			const path = join(this.folder, 'dist', file);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, readFileSync(join(this.folder, file)));
		}
	}
}

/** Tracked and new files, without those that Git ignores or that were deleted. */
function filesOfProject(): string[] {
	const list = (...flags: string[]) => {
		const { stdout } = spawnSync('git', ['ls-files', '-z', ...flags], { cwd: project });
		return String(stdout).split('\0').filter(Boolean);
	};
	const deleted = new Set(list('--deleted'));
	return list('--cached', '--others', '--exclude-standard').filter((file) => !deleted.has(file));
}
