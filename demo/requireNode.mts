import { readFileSync } from 'node:fs';

/** Ends with a sentence if Node.js is older than package.json requires. */
export function requireNode(): void {
	const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
	const wanted: string = manifest.engines.node.replace('>=', '');
	if (!isOlder(process.versions.node, wanted)) return;
	console.error(
		`This needs Node.js ${wanted} or later, and it runs on ${process.versions.node}. ` +
			'Install a later one from https://nodejs.org, then run the same command again.',
	);
	process.exit(1);
}

function isOlder(version: string, wanted: string): boolean {
	return version.localeCompare(wanted, 'en', { numeric: true }) < 0;
}
