/** A chatbot with a helpdesk, for the suites of tickets. */
import type { INodeParameters } from 'n8n-workflow';

import type { BehaviourV2, Ticket } from '../../../service';
import { inSkippedTime } from '../fastTime';
import type { RunOptions } from '../harness';
import { chatbotId } from '../parameters';
import { useTestbed } from '../testbed';

/** Call it once at the top of a suite: it opens the testbed, and closes it in the end. */
export function openHelpdesk(operation: string) {
	const desk = {
		testbed: useTestbed({ resource: 'ticket', operation, chatbotId }),

		/** Statuses, teams and tickets of the chatbot. */
		get here() {
			return desk.testbed.service.store.chatbot('bot').agent;
		},

		get faults() {
			return desk.testbed.service.faults;
		},

		/** The requests without what all paths share. */
		get sent() {
			return desk.testbed.sent.map(([address, ...body]) => [
				String(address).replace('/api/v2/agents/bot/helpdesk', ''),
				...body,
			]);
		},

		get methods() {
			return desk.testbed.service.requests.map(({ method }) => method).join(' ');
		},

		set(behaviour: Partial<BehaviourV2>) {
			Object.assign(desk.testbed.service.behaviourV2, behaviour);
		},

		addTicket(fields: Partial<Ticket> = {}) {
			return desk.testbed.service.store.addTicket('bot', fields);
		},

		statusId(category: string) {
			return desk.here.statuses.find((status) => status.category === category)!.id;
		},

		/** Runs while waits take no time. */
		async runAtOnce(parameters: INodeParameters, options?: Partial<RunOptions>) {
			const requestOptions = { timeout: 30_000 };
			const run = async () => await desk.testbed.run({ ...parameters, requestOptions }, options);
			return await inSkippedTime(desk.testbed.service, run);
		},
	};

	return desk;
}
