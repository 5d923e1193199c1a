/** Writes the transcript into docs/probe.md: `npx tsx test/probe/updateTranscript.mts`. */
import { readFileSync, writeFileSync } from 'node:fs';

import { transcript, withTranscript } from './transcript.js';

const document = new URL('../../docs/probe.md', import.meta.url);
writeFileSync(document, withTranscript(readFileSync(document, 'utf8'), await transcript()));
