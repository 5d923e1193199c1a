/** Writes the transcript into docs/contributors/probe.md: `npm run docs`. */
import { readFileSync, writeFileSync } from 'node:fs';

import { transcript, withTranscript } from './transcript.js';

const document = new URL('../../docs/contributors/probe.md', import.meta.url);
writeFileSync(document, withTranscript(readFileSync(document, 'utf8'), await transcript()));
