/** Some histories in n8n's engine and over HTTP; the unit tests run hundreds. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { propertyRuns } from '../../propertyRuns';
import { histories } from '../../unit/trigger/history';
import { kindOf, Life, momentOf, type Stage, type TestRecord } from '../../unit/trigger/life';
import { useWatch } from './watch';

const watch = useWatch();

const hour = 3600;
const seconds = (iso: string) => Date.parse(iso) / 1000;

const beginning = (since?: number) =>
	since === undefined ? {} : { since: new Date(since * 1000).toISOString() };

/** The simulated service of a history. */
abstract class ServiceStage implements Stage {
	protected readonly chatbot = watch.reset();

	protected readonly store = watch.testbed.service.store;

	private created = 0;

	abstract get records(): TestRecord[];

	protected abstract add(id: string): void;

	protected abstract change(record: TestRecord): void;

	protected abstract take(record: TestRecord): void;

	get now() {
		return watch.testbed.service.clock.seconds();
	}

	get local() {
		return Date.now();
	}

	create(count: number) {
		for (let index = 0; index < count; index++) this.add(`record-${++this.created}`);
	}

	edit(position: number) {
		const record = this.at(position);
		if (record) this.change(record);
	}

	remove(position: number) {
		const record = this.at(position);
		if (record) this.take(record);
	}

	/** n8n's clock cannot be set here, so the clock of the service must not run far ahead. */
	pass(time: number) {
		watch.pass(time % hour);
	}

	jump() {}

	async poll(event: string, stored: IDataObject, beforeAnswer: () => number, since?: number) {
		const { service } = watch.testbed;
		const poller = watch.poller(
			{ event, options: { pageSize: 10, ...beginning(since) } },
			{ staticData: stored },
		);
		const stopListening = service.onRequest(() => {
			service.faults.clear();
			const status = beforeAnswer();
			if (status !== 200) service.faults.add({ fault: { kind: 'status', status } });
		});
		try {
			const { items, staticData } = await poller.poll();
			for (const name of Object.keys(stored)) delete stored[name];
			Object.assign(stored, staticData);
			expect(watch.illegal).toEqual([]);
			return items.map(({ json }) => ({
				...json,
				id: json.external_id ?? json.ticketNumber ?? json.id,
				created_at: json.created_at ?? json.createdAt,
				updated_at: json.updated_at ?? json.updatedAt,
			}));
		} finally {
			stopListening();
			service.faults.clear();
			service.clearRequests();
		}
	}

	private at(position: number): TestRecord | undefined {
		const { records } = this;
		return records[position % Math.max(1, records.length)];
	}
}

class ContactStage extends ServiceStage {
	get records() {
		return [...this.chatbot.contacts].map(({ external_id, created_at, updated_at }) => ({
			id: external_id,
			created: created_at,
			updated: updated_at,
		}));
	}

	protected add(id: string) {
		watch.addContact(id);
	}

	protected change({ id }: TestRecord) {
		watch.edit(id);
	}

	protected take({ id }: TestRecord) {
		this.store.removeContact(this.chatbot.id, id);
	}
}

class TicketStage extends ServiceStage {
	get records() {
		return this.chatbot.agent.tickets.map(({ ticketNumber, createdAt, updatedAt }) => ({
			id: String(ticketNumber),
			created: seconds(createdAt),
			updated: seconds(updatedAt),
		}));
	}

	protected add() {
		this.store.addTicket(this.chatbot.id);
	}

	protected change({ id }: TestRecord) {
		const { tickets } = this.chatbot.agent;
		tickets[Number(id) - 1].updatedAt = watch.testbed.service.clock.iso();
	}

	/** Tickets can't be deleted. */
	protected take() {}
}

class ConversationStage extends ServiceStage {
	get records() {
		return this.chatbot.conversations.map(({ id, createdAt, lastMessageAt }) => ({
			id,
			created: seconds(createdAt),
			updated: seconds(lastMessageAt),
		}));
	}

	protected add(id: string) {
		this.store.addConversation(this.chatbot.id, { id });
	}

	protected change({ id }: TestRecord) {
		const conversation = this.chatbot.conversations.find((other) => other.id === id)!;
		conversation.lastMessageAt = watch.testbed.service.clock.iso();
	}

	protected take({ id }: TestRecord) {
		const { conversations } = this.chatbot;
		conversations.splice(
			conversations.findIndex((other) => other.id === id),
			1,
		);
	}
}

class LeadStage extends ServiceStage {
	private numbers = 0;

	get records() {
		return this.chatbot.leads.map(({ number, createdAt }) => ({
			id: String(number),
			created: seconds(createdAt),
			updated: seconds(createdAt),
		}));
	}

	protected add() {
		this.store.addLead(this.chatbot.id, { number: ++this.numbers });
	}

	/** Nothing about a lead changes. */
	protected change() {}

	protected take({ id }: TestRecord) {
		const { leads } = this.chatbot;
		leads.splice(
			leads.findIndex(({ number }) => String(number) === id),
			1,
		);
	}
}

const stageOf: Record<string, new () => Stage> = {
	conversationStarted: ConversationStage,
	leadCreated: LeadStage,
	ticketCreated: TicketStage,
	ticketCreatedOrUpdated: TicketStage,
	ticketUpdated: TicketStage,
};

it.each(Object.keys(momentOf))(
	'reports each change once, whatever happens between polls and during them, when Trigger On is %s',
	async (event) => {
		const { behaviour } = watch.testbed.service;
		await fc.assert(
			fc.asyncProperty(histories(kindOf(event)), async (given) => {
				const { order } = given.habits;
				behaviour.contactOrder = order === 'newestFirst' ? order : 'oldestFirst';
				behaviour.leadSize = { standard: 10, maximum: 10 };
				behaviour.sizeAboveMaximum = event === 'leadCreated' ? 'clamp' : 'badRequest';
				await new Life(event, given, new (stageOf[event] ?? ContactStage)()).live();
			}),
			propertyRuns(event === 'conversationStarted' ? 2 : 3),
		);
	},
	120_000,
);
