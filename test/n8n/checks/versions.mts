import { type Checks } from '../expectations.mjs';

export async function oldestN8nWorks(checks: Checks): Promise<string> {
	checks.skip('not yet');
	return '';
}
