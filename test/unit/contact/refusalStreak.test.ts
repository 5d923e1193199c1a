import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { version1 } from '../../../nodes/Chatbase/api/versions';
import { RefusalStreak } from '../../../nodes/Chatbase/resources/contact/refusalStreak';

const refusal = (message: string): ApiResponse =>
	({ outcome: '400', status: 400, body: { message }, version: version1 }) as ApiResponse;

function streakOf(count: number): RefusalStreak {
	const streak = new RefusalStreak();
	for (let index = 0; index < count; index++) streak.add(refusal('The plan is full'));
	return streak;
}

it('is confirmed after exactly 20 equal refusals in a row', () => {
	expect(streakOf(19).startConfirmation()).toBe(false);
	expect(streakOf(20).startConfirmation()).toBe(true);
});

it('refuses the others only when the contact tried in between is refused alike', () => {
	const accepted = streakOf(20);
	accepted.startConfirmation();
	accepted.end();
	accepted.endConfirmation();
	expect(accepted.refusalOf('a@x.example')).toBeUndefined();

	const refused = streakOf(20);
	refused.startConfirmation();
	refused.add(refusal('The plan is full'));
	refused.endConfirmation();
	expect(refused.refusalOf('a@x.example')).toMatchObject({ body: { message: 'The plan is full' } });
});

it('begins anew when the words differ or a contact is accepted', () => {
	const other = streakOf(19);
	other.add(refusal('Another reason'));
	expect(other.startConfirmation()).toBe(false);

	const ended = streakOf(19);
	ended.end();
	ended.add(refusal('The plan is full'));
	expect(ended.startConfirmation()).toBe(false);
});
