import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { version1 } from '../../../nodes/Chatbase/api/versions';
import { RefusalStreak } from '../../../nodes/Chatbase/resources/contact/task';

const refusal = (message: string): ApiResponse =>
	({ outcome: '400', status: 400, body: { message }, version: version1 }) as ApiResponse;

const values = new Map([['email', 'a@x.example']]);

function streakOf(count: number): RefusalStreak {
	const streak = new RefusalStreak();
	for (let index = 0; index < count; index++) streak.add(refusal('The plan is full'));
	return streak;
}

/** Whether a contact from the end is tried, which then meets its outcome. */
async function isConfirming(streak: RefusalStreak, meet = () => {}): Promise<boolean> {
	let isTried = false;
	await streak.confirm(async () => {
		isTried = true;
		meet();
	});
	return isTried;
}

it('is confirmed after exactly 20 equal refusals in a row', async () => {
	expect(await isConfirming(streakOf(19))).toBe(false);
	expect(await isConfirming(streakOf(20))).toBe(true);
});

it('refuses the others only when the contact tried in between is refused alike', async () => {
	const accepted = streakOf(20);
	await isConfirming(accepted, () => accepted.end());
	expect(accepted.refusalOf(values)).toBeUndefined();

	const refused = streakOf(20);
	await isConfirming(refused, () => refused.add(refusal('The plan is full')));
	expect(refused.refusalOf(values)).toMatchObject({ body: { message: 'The plan is full' } });
});

it('begins anew when the words differ or a contact is accepted', async () => {
	const other = streakOf(19);
	other.add(refusal('Another reason'));
	expect(await isConfirming(other)).toBe(false);

	const ended = streakOf(19);
	ended.end();
	ended.add(refusal('The plan is full'));
	expect(await isConfirming(ended)).toBe(false);
});
