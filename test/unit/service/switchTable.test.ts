/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** docs/contributors/switches.md and the code have the same switches. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { defaultSwitches, defaultSwitchesV2 } from '../../../service';

const [, ...sections] = readFileSync(
	join(__dirname, '../../../docs/contributors/switches.md'),
	'utf8',
).split(/^## /m);

it.each([
	['1', defaultSwitches, sections[0]],
	['2', defaultSwitchesV2, sections[1]],
])('the table of version %s has each switch once', (_version, switches, section) => {
	const names = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
	expect(names.sort()).toEqual(Object.keys(switches).sort());
});
