import type { ApiResponse } from '../../../nodes/Chatbase/api/response';
import { version1 } from '../../../nodes/Chatbase/api/versions';
import type { Wish } from '../../../nodes/Chatbase/resources/contact/plan/wantedContact';
import { Rounds } from '../../../nodes/Chatbase/resources/contact/write/refusals';

const email = 'a@x.example';
const taken = {
	outcome: '409',
	resource: 'contact',
	version: version1,
	body: { message: 'Email already exists' },
} as ApiResponse;

it('brings a wish into one round when its email is given up, and is then done with it', () => {
	const wish = { items: [0] } as unknown as Wish;
	const rounds = new Rounds();
	rounds.waitFor(email, { wish, id: 'a', response: taken });
	expect(rounds.takeNext()).toEqual([]);

	rounds.free(email);
	expect(rounds.takeNext()).toEqual([wish]);
	expect(rounds.rest).toEqual([]);

	rounds.free(email);
	expect(rounds.takeNext()).toEqual([]);
});
