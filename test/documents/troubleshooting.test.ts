/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { troubleshootingTable, withTroubleshooting } from './troubleshooting';

const document = readFileSync(join(__dirname, '../../docs/troubleshooting.md'), 'utf8');

it('shows the texts of the node', () => {
	expect(document).toBe(withTroubleshooting(document));
});

it('has a row with three cells for each text', () => {
	const rows = troubleshootingTable().split('\n');
	expect(rows.length).toBeGreaterThan(20);
	for (const row of rows) expect(row.split('|')).toHaveLength(5);
});
