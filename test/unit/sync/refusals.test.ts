import { Refusals } from '../../../nodes/Chatbase/sync/refusals';

function afterRefused(count: number, status?: number): Refusals {
	const refusals = new Refusals();
	for (let index = 0; index < count; index++) refusals.refuse(status);
	return refusals;
}

describe('further records of a kind are sent', () => {
	it.each<[string, () => Refusals]>([
		['after 999 refused ones', () => afterRefused(999, 400)],
		['after any number that another record was the reason for', () => afterRefused(5000, 409)],
		['after any number without a response', () => afterRefused(5000)],
		[
			'after 1,000 refused ones if one was accepted before',
			() => {
				const refusals = new Refusals();
				refusals.accept();
				for (let index = 0; index < 1000; index++) refusals.refuse(400);
				return refusals;
			},
		],
	])('%s', (_, make) => expect(make().notSent).toBeUndefined());
});

describe('no further record of a kind is sent', () => {
	it.each([400, 403, 413, 422, 500])('after 1,000 with the status %i', (status) => {
		expect(afterRefused(1000, status).notSent).toBeDefined();
	});

	it('once that is settled, whatever was accepted', () => {
		const refusals = new Refusals();
		const reason = { title: 'All items are blank', nextStep: 'No room.' } as const;
		refusals.accept();
		refusals.settle(reason);
		expect(refusals.notSent).toBe(reason);
	});
});
