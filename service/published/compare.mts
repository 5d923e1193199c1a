/**
 * Compares the schema that Chatbase publishes with the contract of the simulated service, and prints what differs. A
 * difference is something to look at, and no failure: the schema changes about weekly.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { schemaDifferences, type PublishedSchema } from './differences.js';

const address = 'https://www.chatbase.co/docs/api-v2-openapi.json';

const usage = `npx tsx service/published/compare.mts compares Chatbase's published schema of version 2 with service/v2/contract.ts.

  --file <path>   a copy of the schema; default: ${address}
`;

const { values } = parseArgs({
	options: { file: { type: 'string' }, help: { type: 'boolean', default: false } },
});

if (values.help) console.log(usage);
else await compare();

async function compare(): Promise<void> {
	let published: PublishedSchema;
	try {
		published = JSON.parse(await textOf(values.file)) as PublishedSchema;
	} catch (error) {
		console.error(`The schema could not be read: ${(error as Error).message}`);
		process.exitCode = 1;
		return;
	}

	const differences = schemaDifferences(published);
	for (const line of differences) console.log(line);
	console.log(`\n${differences.length} differences.`);
}

async function textOf(file: string | undefined): Promise<string> {
	if (file !== undefined) return await readFile(file, 'utf8');

	const response = await fetch(address, { signal: AbortSignal.timeout(30_000) });
	if (!response.ok) throw new Error(`${address} answered ${response.status}`);
	return await response.text();
}
