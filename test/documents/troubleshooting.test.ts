/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { troubleshootingTable, withTroubleshooting } from './troubleshooting';

const document = readFileSync(join(__dirname, '../../docs/troubleshooting.md'), 'utf8');

it('the document says what the node says', () => {
	expect(document).toBe(withTroubleshooting(document));
});

it('has a row for each text, and no cell that breaks the table', () => {
	const rows = troubleshootingTable().split('\n');
	expect(rows.length).toBeGreaterThan(20);
	for (const row of rows) expect(row.split('|')).toHaveLength(5);
});
