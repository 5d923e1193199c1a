/** Writes the troubleshooting table into README: `npx tsx test/documents/updateReadme.mts`. */
import { readFileSync, writeFileSync } from 'node:fs';

import { withTroubleshooting } from './troubleshooting.js';

const readme = new URL('../../README.md', import.meta.url);
writeFileSync(readme, withTroubleshooting(readFileSync(readme, 'utf8')));
