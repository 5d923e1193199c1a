/**
 * `npx tsx test/scan/scan.mts` runs the analysis of n8n's community package scanner offline: over the sources, and over
 * what `npm pack` would publish. The scanner itself starts from a published package with provenance.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import {
	analyzePackage,
	SOURCE_FILE_PATTERNS,
} from '@n8n/scan-community-package/scanner/scanner.mjs';

const project = resolve(fileURLToPath(import.meta.url), '../../..');
const packedFilePatterns = ['**/*.js', 'package.json'];

/** Unpacks what would be published into a folder, and lists its files. */
function unpackInto(folder: string): string[] {
	const options = { cwd: project, encoding: 'utf8' } as const;
	const report = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], options);
	const [{ filename, files }] = JSON.parse(report) as [
		{ filename: string; files: Array<{ path: string }> },
	];
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder, '--strip-components=1']);
	rmSync(join(folder, filename));
	return files.map(({ path }) => path);
}

/** Files that must not be in a published package. */
function strayFiles(files: string[]): string[] {
	const expected =
		/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|dist\/(package\.json|(nodes|credentials|icons)\/.+\.(js|js\.map|json|svg)))$/;
	return files.filter((file) => !expected.test(file));
}

const folder = mkdtempSync(join(tmpdir(), 'scan-'));
const outcomes: Array<[what: string, passed: boolean, details?: string]> = [];
try {
	const sources = await analyzePackage(project, SOURCE_FILE_PATTERNS);
	outcomes.push(['sources', sources.passed, sources.details ?? sources.message]);
	const files = unpackInto(folder);
	const packed = await analyzePackage(folder, packedFilePatterns);
	outcomes.push(['packed files', packed.passed, packed.details ?? packed.message]);
	const stray = strayFiles(files);
	outcomes.push(['contents of the package', stray.length === 0, stray.join('\n')]);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
for (const [what, passed, details] of outcomes) {
	console.log(`${passed ? '✔' : '✖'} ${what}${passed ? '' : `\n${details}`}`);
}
const failed = outcomes.filter(([, passed]) => !passed).length;
console.log(`${outcomes.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
