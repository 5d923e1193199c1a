/**
 * `npm run demo` shows the node at work in a real n8n; `npm run demo -- --help` says how.
 *
 * Only the check of the Node.js version may be imported at the top: the other modules fail to load
 * in an older version, with a message that doesn't help.
 */
import { requireNode } from './requireNode.mjs';

requireNode();
const { main } = await import('./main.mjs');
await main();
