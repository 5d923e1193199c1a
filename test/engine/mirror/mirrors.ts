/** Both mirrors, of contacts and of sources, as one table: they share `sync/`. */
import type { GenericValue, IDataObject, INodeParameters } from 'n8n-workflow';

import { emptyId } from '../../errorTexts';
import { ProcessedItems, type RunOptions } from '../harness';
import { chatbotId, mapped } from '../parameters';
import { succeeded, type Testbed, useTestbed } from '../testbed';

type Store = Testbed['service']['store'];

/** An item of the input: the ID of a record, and its one value. */
export interface Row extends IDataObject {
	id: string;
	value: GenericValue;
}

interface Kind {
	readonly one: 'contact' | 'source';
	/** A mirror of the records whose ID begins with `m-`, which deletes missing ones. */
	readonly parameters: INodeParameters;
	/** What it can do with missing records, besides reporting them. */
	readonly handlings: readonly INodeParameters[];
	/** A value that can't be sent, so that the item is refused before any request. */
	readonly refusedValue: GenericValue;
	/** The title for an item without an ID. */
	readonly withoutId: string;
	idOf(record: IDataObject): unknown;
	held(store: Store, chatbot: string): unknown[];
	/** The path of a record in requests. */
	pathOf(store: Store, id: string): string;
	/** A person adds a record. */
	add(store: Store, id: string): void;
	/** A person removes it. */
	remove(store: Store, id: string): void;
	/** A person makes it another record. */
	replace(store: Store, id: string): void;
	/** A person adds records that an item could mean, too. */
	makeAmbiguous(store: Store, id: string): void;
	/** The service gives a part of its list. */
	shorten(testbed: Testbed): void;
}

const sourcesOf = (store: Store, chatbot = 'bot') =>
	store.chatbot(chatbot).agent.sources.filter(({ isGone }) => !isGone);
const sourceOf = (store: Store, id: string) => sourcesOf(store).find(({ name }) => name === id)!;
const contactsOf = (store: Store, chatbot = 'bot') => store.chatbot(chatbot).contacts;

const contact: Kind = {
	one: 'contact',
	parameters: {
		resource: 'contact',
		operation: 'mirror',
		chatbotId,
		manage: 'idPrefix',
		idPrefix: 'm-',
		onMissing: 'delete',
		...mapped({ external_id: '={{ $json.id }}', name: '={{ $json.value }}' }),
	},
	handlings: [{ onMissing: 'delete' }, { onMissing: 'mark' }],
	refusedValue: ['x'],
	withoutId: emptyId,
	idOf: ({ external_id }) => external_id,
	held: (store, chatbot) => [...contactsOf(store, chatbot)].map(({ external_id: id }) => id),
	pathOf: (_, id) => `/chatbots/bot/contacts/${id}`,
	add: (store, id) => void store.addContact('bot', { external_id: id, name: 'old' }),
	remove: (store, id) => contactsOf(store).remove(contactsOf(store).find(id)!),
	replace(store, id) {
		contact.remove(store, id);
		contact.add(store, id);
	},
	// Two contacts may have one ID here.
	makeAmbiguous: (store, id) =>
		void contactsOf(store).add(store.newContact({ external_id: id, name: 'old' })),
	shorten({ service }) {
		const pages = { page: 1, per_page: 1000, total_pages: 1 };
		const body = { message: 'Success', data: [{ id: '1', external_id: 'm-a' }], total: 9, pages };
		const when = { method: 'GET', path: '/chatbots/bot/contacts' };
		service.faults.add({ when, fault: { kind: 'otherShape', body } });
	},
};

const source: Kind = {
	one: 'source',
	parameters: {
		resource: 'source',
		operation: 'mirror',
		chatbotId,
		sourceType: 'text',
		name: '={{ $json.id }}',
		content: '={{ $json.value }}',
		namePrefix: 'm-',
		onMissing: 'delete',
	},
	handlings: [{ onMissing: 'delete' }],
	refusedValue: '',
	withoutId: 'Name is empty',
	idOf: ({ name }) => name,
	held: (store, chatbot) => sourcesOf(store, chatbot).map(({ name }) => name),
	pathOf: (store, id) => `/agents/bot/sources/${sourceOf(store, id).id}`,
	add: (store, name) => void store.addSource('bot', { name }),
	remove: (store, id) => void (sourceOf(store, id).isGone = true),
	replace: (store, id) => void (sourceOf(store, id).name = 'Mine'),
	makeAmbiguous: (store, name) => void store.addSource('bot', { name }),
	shorten: ({ service }) => void (service.behaviourV2.total = 'tooHigh'),
};

/** For `describe.each`: the plural of the records, and the mirror. */
export const mirrors: ReadonlyArray<[string, Kind]> = [
	['contacts', contact],
	['sources', source],
];

/** Continues after a failure: the output item has the error. */
export const goOn = { nodeSettings: { onError: 'continueRegularOutput' as const } };

/** Items with these names and the value that the records have already. */
export const rows = (...names: string[]): Row[] =>
	names.map((name) => ({ id: `m-${name}`, value: 'old' }));

/** So many different names. */
export const names = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => `${index}`);

/** A chatbot in whose list a mirror has worked before. */
export class MirrorWorld {
	/** n8n's table of processed items, in which a mirror of sources knows what it has sent. */
	processed = new ProcessedItems();

	constructor(
		readonly testbed: Testbed,
		readonly kind: Kind,
	) {}

	/** An earlier run has written records with these names. */
	async settle(...names: string[]): Promise<void> {
		succeeded(await this.run(rows(...names), { onMissing: 'report' }));
		this.testbed.service.clearRequests();
	}

	async run(
		input: IDataObject[],
		parameters: INodeParameters = {},
		options: Partial<RunOptions> = {},
	) {
		const { processed } = this;
		const chosen = { ...this.kind.parameters, ...parameters };
		return await this.testbed.run(chosen, { mode: 'trigger', processed, input, ...options });
	}

	/** The IDs of all records, sorted, without the start by which the mirror manages them. */
	held(chatbot = 'bot'): string[] {
		const ids = this.kind.held(this.testbed.service.store, chatbot).map(String);
		return ids.map((id) => id.replace(/^m-/, '')).sort();
	}

	/** The ID of each record in the output, and what happened to it, or the title of its error. */
	outcomes({ items }: { items: Array<{ json: IDataObject }> }): Array<[unknown, unknown]> {
		return items.map(({ json }) => {
			const id = String(this.kind.idOf(json) ?? json.id).replace(/^m-/, '');
			const action = (json._sync as IDataObject | undefined)?.action;
			return [id, json.error === undefined ? action : String(json.error).split('. ')[0]];
		});
	}

	/** Requests that try to delete. */
	get deletions(): number {
		return this.testbed.writes.filter(({ method }) => method === 'DELETE').length;
	}
}

/** A world for all tests of one mirror, reset before each. */
export function useMirror(kind: Kind): MirrorWorld {
	const world = new MirrorWorld(useTestbed(), kind);
	beforeEach(() => void (world.processed = new ProcessedItems()));
	return world;
}
