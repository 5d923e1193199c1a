/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** docs/contributors/probe.md shows what the probe prints, and names all that it takes. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { usage } from '../../probe/options';
import { requestsOf } from '../../probe/run';
import { scratchPrefix } from '../../probe/ownership';
import { transcript, withTranscript } from './transcript';

const document = readFileSync(join(__dirname, '../../docs/contributors/probe.md'), 'utf8');

it('shows a run as printed; npm run docs updates it', async () => {
	expect(withTranscript(document, await transcript())).toBe(document);
});

it('names every option', () => {
	const options = [...usage.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option);
	expect(options).toHaveLength(6);
	for (const option of options) expect(document).toContain(`\`${option}`);
});

it('gives the number of requests of each part, and the prefix of scratch contacts', () => {
	const reading = requestsOf(['read']);
	expect(document).toContain(`at most ${reading} requests`);
	expect(document).toContain(`${requestsOf(['read', 'write']) - reading} more`);
	expect(document).toContain(`${requestsOf(['read', 'chat']) - reading} more`);
	expect(document).toContain(`${requestsOf(['read', 'pause']) - reading} more`);
	expect(document).toContain(scratchPrefix);
});
