import { ApiClient } from '../../../nodes/Chatbase/api/client';
import { createAllOf } from '../../../nodes/Chatbase/resources/contact/plan/matching';
import { wishesOf } from '../../../nodes/Chatbase/resources/contact/plan/wishes';
import { foretell } from '../../../nodes/Chatbase/resources/contact/write/writeContacts';
import { settings } from './settings';

/** A Dry Run asks no service, so that none is needed here. */
const api = Object.create(ApiClient.prototype) as ApiClient;

it('previews 150,000 new contacts', async () => {
	const inputs = Array.from({ length: 150_000 }, (_, index) => ({
		index,
		key: { id: `n-${index}` },
		values: new Map([['external_id', `n-${index}`]]),
		notSent: new Map(),
		settings,
	}));
	let settled = 0;
	const answers = {
		settle: () => void settled++,
		refuse: () => expect('no contact').toBe('refused'),
	};
	const matches = createAllOf(wishesOf(inputs));
	await foretell({ api, chatbotId: 'bot', answers }, matches);
	expect(settled).toBe(150_000);
}, 60_000);
