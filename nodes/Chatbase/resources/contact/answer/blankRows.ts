import type { Run } from '../../../execution/run';
import { blankRow, recordOf } from '../../../sync/records';
import type { BlankRow, ContactParams } from '../read/contactInput';

/** Answers the items of blank rows, and returns the run without them. */
export function skipBlankRows(run: Run<ContactParams | BlankRow>): Run<ContactParams> {
	const items: Run<ContactParams>['items'] = [];

	for (const pending of run.items) {
		const { params } = pending;
		if (params.input) items.push({ ...pending, params });
		else pending.succeed([recordOf({}, { action: 'skipped', reason: blankRow })]);
	}
	return { ...run, items };
}
