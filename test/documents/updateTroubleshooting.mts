/** Writes the troubleshooting table into its document: `npx tsx test/documents/updateTroubleshooting.mts`. */
import { readFileSync, writeFileSync } from 'node:fs';

import { withTroubleshooting } from './troubleshooting.js';

const document = new URL('../../docs/troubleshooting.md', import.meta.url);
writeFileSync(document, withTroubleshooting(readFileSync(document, 'utf8')));
