/**
 * `npm run demo` shows the node at work in a real n8n; `npm run demo -- --help` says how.
 *
 * Nothing but the check of the Node.js version may be imported at the top: the rest would already
 * fail to load in an older one, with a message that helps nobody.
 */
import { requireNode } from './requireNode.mjs';

requireNode();
const { main } = await import('./main.mjs');
await main();
