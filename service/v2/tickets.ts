/** Tickets of the helpdesk. Reference of version 2. */
import type { z } from 'zod';

import type { Chatbot } from '../core/store';
import { endpoints, type ticketUpdateRequest } from './contract';
import { ApiError, invalid } from './errors';
import { pageOf } from './paging';
import { route, type Call, type Place } from './route';
import type { TeamMember, Ticket, TicketMessage } from './state';

type Changes = z.output<typeof ticketUpdateRequest>;

export const ticketRoutes = [
	route(endpoints.ticketStatuses, ({ agent }) => agent.agent.statuses),

	route(endpoints.teams, ({ agent }) =>
		agent.agent.teams.map(({ id, name, members }, index) => ({
			id,
			name,
			isDefault: index === 0,
			memberCount: members.length,
		})),
	),

	route(endpoints.tickets, (call) => {
		const { agent, query } = call;
		const { sortBy, order, includeTotal } = query;

		const listing = {
			rows: agent.agent.tickets.filter((one) => isAsked(one, call)),
			sortedBy: (one: Ticket) => one[sortBy] ?? one.createdAt,
			id: ({ ticketNumber }: Ticket) => ticketNumber,
			ascending: order === 'asc',
			bound: [sortBy, order],
			hasTotal: includeTotal === 'true',
			record: (one: Ticket) => listed(one, call),
		};
		return pageOf(query, listing, call);
	}),

	route(endpoints.createTicket, (call) => {
		const { agent, body, store, response } = call;
		const { subject, description, customer, ...assignment } = body;
		const ticketing = resolved(assignment, agent);
		const known = agent.agent.tickets.find((one) => one.customer.email === customer.email);
		const { name = null, email } = customer;
		const team = agent.agent.teams.find(({ id }) => id === ticketing.teamId);

		const ticket = store.addTicket(agent.id, {
			subject,
			description,
			// The name is used only when the customer is new.
			customer: known?.customer ?? { id: store.newId(), name, email, phoneNumber: null },
			// A team without an assignee picks one itself.
			assigneeId: team?.members.at(0)?.id ?? null,
			...ticketing,
		});

		const sender = { type: 'customer' as const, ...ticket.customer, phoneNumber: undefined };
		ticket.messages.push(newMessage('reply', call, { sender, text: description }));
		void response.code(201);
		return whole(ticket, call);
	}),

	route(endpoints.searchTickets, (call) => {
		const { agent, body } = call;
		const words = body.query.toLowerCase().split(/\s+/).filter(Boolean);
		const found = agent.agent.tickets
			.map((ticket) => ({ ticket, score: scoreOf(ticket, words) }))
			.filter(({ score }) => score > 0)
			.sort((a, b) => b.score - a.score);

		return {
			data: found.slice(0, body.limit).map(({ ticket }) => listed(ticket, call)),
			pagination: { cursor: null, hasMore: found.length > body.limit },
		};
	}),

	route(endpoints.ticket, (call) => whole(ticketOf(call), call)),

	route(endpoints.updateTicket, (call) => {
		const ticket = ticketOf(call);
		const { agent, body, behaviour, store } = call;
		const changes = Object.entries(resolved(body, agent));

		// Checked together, written one after another.
		for (const [field, value] of changes) {
			const isMoved = field === 'statusId' && ticket.statusId !== value;
			const before = categoryOf(ticket, agent);
			Object.assign(ticket, { [field]: value, updatedAt: store.clock.iso() });
			if (isMoved) recordStatus(ticket, before, call);
			if (behaviour.ticketUpdate === 'half') throw new ApiError('INTERNAL_SERVER_ERROR');
		}

		return whole(ticket, call);
	}),

	route(endpoints.ticketMessages, (call) => {
		const { query } = call;
		const { types, order } = query;
		const messages = ticketOf(call).messages.map((one, index) => ({ one, index }));
		type Indexed = (typeof messages)[number];

		const listing = {
			rows: messages.filter(({ one }) => types.includes(one.type)),
			sortedBy: ({ index }: Indexed) => index,
			id: ({ index }: Indexed) => index,
			ascending: order === 'asc',
			bound: order,
			record: ({ one }: Indexed) => one,
		};
		return pageOf(query, listing, call);
	}),

	route(endpoints.replyToTicket, (call) => {
		const { agent, body, store, response } = call;
		const ticket = ticketOf(call);
		const author = membersOf(agent).find(
			({ id, email }) => id === body.authorId || isSame(email, body.authorEmail),
		);
		if (!author) throw new ApiError('TEAM_MEMBER_NOT_FOUND');
		refuseUnlessTakenOver(ticket, call);

		// Raw HTML is removed.
		const text = body.content.replace(/<[^>]*>/g, '').trim();
		if (text === '') throw new ApiError('MESSAGE_CONTENT_NOT_RENDERABLE');
		const sent = newMessage('reply', call, { sender: { type: 'agent', ...author }, text });
		ticket.messages.push(sent);

		ticket.lastMessageAt = store.clock.iso();
		ticket.updatedAt = ticket.lastMessageAt;

		void response.code(201);
		return { ...sent, attachments: undefined, contentText: body.content };
	}),
];

/** Whether a ticket passes the filters of a list. */
function isAsked(ticket: Ticket, { agent, query }: Call<typeof endpoints.tickets>): boolean {
	const { createdAfter, createdBefore } = query;
	const isAmong = (value: string, chosen: string[] | undefined) => chosen?.includes(value) ?? true;
	const isNamed = (value: string | null, chosen: string | undefined) =>
		chosen === undefined || (value ?? 'none') === chosen;
	const created = Date.parse(ticket.createdAt);

	return (
		isAmong(categoryOf(ticket, agent), query.status) &&
		isAmong(ticket.channel, query.channel) &&
		isAmong(ticket.priority ?? 'none', query.priority) &&
		isNamed(ticket.assigneeId, query.assigneeId) &&
		isNamed(ticket.teamId, query.teamId) &&
		(createdAfter === undefined || created >= Date.parse(createdAfter)) &&
		(createdBefore === undefined || created <= Date.parse(createdBefore))
	);
}

/** How many of the words stand in a ticket. */
function scoreOf({ messages, description }: Ticket, words: string[]): number {
	const text = [description, ...messages.map(({ contentText }) => contentText)].join(' ');
	return words.filter((word) => text.toLowerCase().includes(word)).length;
}

function recordStatus(ticket: Ticket, statusFrom: string, call: Call<never>): void {
	const change = { statusFrom, statusTo: categoryOf(ticket, call.agent), doneBy: null };
	ticket.messages.push({
		...newMessage('event', call),
		metadata: { eventType: 'status_change', ...change },
	});
}

function refuseUnlessTakenOver({ conversationId }: Ticket, { agent, behaviour }: Place): void {
	const linked = agent.conversations.find(({ id }) => id === conversationId);
	const isWithBot = linked !== undefined && linked.status !== 'taken_over';
	if (isWithBot || behaviour.ticketReply === 'notTakenOver') {
		throw new ApiError('CONVERSATION_NOT_TAKEN_OVER');
	}
}

function ticketOf({ agent, params }: Place): Ticket {
	const number = /^[1-9]\d*$/.test(params.ticketNumber) ? Number(params.ticketNumber) : NaN;
	if (!(number <= 2_147_483_647)) throw invalid({ ticketNumber: 'Expected a ticket number' });
	const ticket = agent.agent.tickets.find(({ ticketNumber }) => ticketNumber === number);
	if (!ticket) throw new ApiError('TICKET_NOT_FOUND');
	return ticket;
}

/** The changes with every person and status by ID. */
function resolved(changes: Changes, chatbot: Chatbot) {
	const { statusId, statusCategory, assigneeId, assigneeEmail, ...rest } = changes;
	const result: Partial<Pick<Ticket, 'statusId' | 'assigneeId' | 'teamId' | 'priority'>> = {};
	if (statusId !== undefined || statusCategory !== undefined) {
		result.statusId = statusIdOf(changes, chatbot);
	}

	if (assigneeId === null) {
		result.assigneeId = null;
	} else if (assigneeId !== undefined || assigneeEmail !== undefined) {
		result.assigneeId = assigneeIdOf(changes, chatbot);
	}

	const isTeamKnown = chatbot.agent.teams.some(({ id }) => id === rest.teamId);
	if (rest.teamId && !isTeamKnown) throw new ApiError('TICKET_TEAM_NOT_FOUND');
	return { ...result, ...rest };
}

function statusIdOf({ statusId, statusCategory }: Changes, { agent }: Chatbot): string {
	const status = agent.statuses.find(
		({ id, category, isDefault }) => id === statusId || (category === statusCategory && isDefault),
	);
	if (!status) throw new ApiError('TICKET_INVALID_STATUS');
	return status.id;
}

function assigneeIdOf({ assigneeId, assigneeEmail }: Changes, chatbot: Chatbot): string {
	const member = membersOf(chatbot).find(
		({ id, email }) => id === assigneeId || isSame(email, assigneeEmail),
	);
	if (!member) throw new ApiError('TICKET_TEAM_MEMBER_NOT_FOUND');
	return member.id;
}

function membersOf({ agent }: Chatbot): TeamMember[] {
	return agent.teams.flatMap(({ members }) => members);
}

function isSame(email: string, other: string | undefined): boolean {
	return email.toLowerCase() === other?.toLowerCase();
}

function categoryOf({ statusId }: Ticket, { agent }: Chatbot): string {
	return agent.statuses.find(({ id }) => id === statusId)!.category;
}

/** Who writes what; an event has neither. */
interface Spoken {
	sender: TicketMessage['sender'];
	text: string | null;
}

function newMessage(
	type: TicketMessage['type'],
	{ store }: Pick<Call<never>, 'store'>,
	{ sender, text }: Spoken = { sender: null, text: null },
): TicketMessage {
	return {
		id: store.newId(),
		type,
		sender,
		content: text === null ? null : `<p>${text}</p>`,
		contentText: text,
		attachments: [],
		createdAt: store.clock.iso(),
	};
}

function whole(ticket: Ticket, { agent, behaviour }: Pick<Place, 'agent' | 'behaviour'>) {
	return {
		...ticket,
		statusCategory: categoryOf(ticket, agent),
		priority: behaviour.ticketPriority === 'present' ? ticket.priority : undefined,
		messages: undefined,
	};
}

function listed(ticket: Ticket, here: Pick<Place, 'agent' | 'behaviour'>) {
	return { ...whole(ticket, here), description: undefined, metadata: undefined };
}
