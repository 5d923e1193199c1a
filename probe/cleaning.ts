/** The end of a run: scratch contacts and sources are deleted, scratch attributes are archived, and what is left is named. */
import { attributePrefix, isOwnId, isOwnSource, isPlainId, scratchPrefix } from './ownership';
import { putAttribute } from './inquiries/attributes';
import { scratchName } from './scratch';
import type { Session } from './session';
import { objectOf, type JsonObject } from './shapes';

const rounds = 3;

const unknown = 'unknown, the list could not be read';

/** Most requests for lists of one page without leftovers: 6 contacts, 4 attributes, 3 sources, and the lists. */
export const cleaningRequests = rounds * (6 + 1 + 4 + 1 + 3 + 1);

const again = 'Run the probe with --write again, or delete them in the dashboard.';

/** @returns how many contacts and sources of earlier runs were found */
export async function cleanUp(session: Session): Promise<number> {
	session.client.ignoreInterruption();
	const leftovers = (await cleanContacts(session)) + (await cleanSources(session));
	await cleanAttributes(session);
	return leftovers;
}

/**
 * Removes what a list shows until it is empty, because the response to a removal proves nothing.
 *
 * @param made what may exist before the list shows it
 * @returns what the list still shows; undefined when it cannot be read
 */
async function sweep(
	made: string[],
	list: () => Promise<string[] | undefined>,
	remove: (name: string) => Promise<unknown>,
): Promise<string[] | undefined> {
	let listed: string[] | undefined = made;
	for (let round = 0; round < rounds; round++) {
		for (const name of listed ?? made) await remove(name);
		listed = await list();
		if (listed?.length === 0) break;
	}
	return listed;
}

async function cleanContacts(session: Session): Promise<number> {
	const { client, scratch, paths, left } = session;
	const leftovers = new Set<string>();
	let strays = 0;

	const list = async () => {
		const contacts = await ownContacts(session);
		if (!contacts) return undefined;

		const ids = contacts
			.map(({ external_id }) => external_id)
			.filter((id) => isOwnId(id, scratchPrefix));
		for (const id of ids) if (!id.startsWith(scratch.run)) leftovers.add(id);
		strays = contacts.length - ids.length;
		return ids;
	};

	const listed = await sweep([...scratch.ids], list, async (id) => {
		await client.ask('DELETE', `${paths.contacts}/${encodeURIComponent(id)}`);
	});

	if (listed?.length !== 0) {
		const described = `Contacts whose External ID begins with ${scratchPrefix}`;
		left.push(`${described}: ${listed?.length ?? unknown}. ${again}`);
	}
	if (strays > 0) {
		left.push(
			`Contacts that look like scratch contacts, but have another External ID or none: ${strays}. ` +
				`Delete them in the dashboard if their name begins with "${scratchName}", or their email with ${scratchPrefix}.`,
		);
	}
	return leftovers.size;
}

/** Contacts of the list that a run has made, also if the service changed their External ID. */
async function ownContacts({ client, paths }: Session): Promise<JsonObject[] | undefined> {
	const own: JsonObject[] = [];
	let before = '';
	for (let page = 1; ; page++) {
		const query = { per_page: 1000, page };
		const response = await client.ask('GET', paths.contacts, { query });
		if (response.status === 400 && page > 1) return own;
		const contacts = response.list;
		if (!response.isSuccess || !contacts) return undefined;

		// A service may answer its last page again and again.
		const text = JSON.stringify(contacts);
		if (contacts.length === 0 || text === before) return own;
		before = text;
		own.push(...contacts.filter(isOwn));
		if (page >= Number(objectOf(response.body.pages).total_pages)) return own;
	}
}

function isOwn({ external_id, name, email }: JsonObject): boolean {
	return (
		[external_id, email].some((value) => String(value).startsWith(scratchPrefix)) ||
		String(name).startsWith(scratchName)
	);
}

async function cleanSources(session: Session): Promise<number> {
	const { client, scratch, paths, left, agent } = session;
	if (!agent || !agent.isSuccess) return 0;

	const leftovers = new Set<string>();
	const list = async () => {
		const sources = await ownSources(session);
		return sources?.map(({ id, name }) => {
			const target = `sources/${String(id)}`;
			if (isPlainId(id)) client.made.add(target);
			if (!String(name).startsWith(scratch.run)) leftovers.add(target);
			return target;
		});
	};

	const made = [...client.made].filter((target) => target.startsWith('sources/'));
	const listed = await sweep(made, list, async (target) => {
		if (client.made.has(target)) await client.ask('DELETE', `${paths.agent}/${target}`);
	});

	if (listed?.length !== 0) {
		const described = `Sources whose name begins with ${scratchPrefix}`;
		left.push(`${described}: ${listed?.length ?? unknown}. ${again}`);
	}
	return leftovers.size;
}

/** Sources that a run has made; undefined when the list cannot be read. */
async function ownSources({ client, paths }: Session): Promise<JsonObject[] | undefined> {
	const own: JsonObject[] = [];
	const cursors = new Set<unknown>();
	for (let cursor = ''; ;) {
		const query = { limit: 100, name: scratchPrefix, ...(cursor && { cursor }) };
		const response = await client.ask('GET', `${paths.agent}/sources`, { query });
		const page = response.page;
		if (!page) return undefined;

		own.push(...page.rows.filter((row) => isOwnSource(row) && row.status !== 'toBeDeleted'));
		if (!page.hasMore || !page.cursor || cursors.has(page.cursor)) return own;
		cursor = page.cursor;
		cursors.add(cursor);
	}
}

async function cleanAttributes(session: Session): Promise<void> {
	const { client, paths, left } = session;
	let archived = 0;

	const list = async () => {
		const response = await client.ask('GET', paths.attributes);
		// Without a list, none was made.
		if (response.isMissing && !session.attributes) return [];
		const attributes = response.list;
		if (!response.isSuccess || !attributes) return undefined;

		const own = attributes.filter(({ name }) => isOwnId(name, attributePrefix));
		const active = own.filter((attribute) => attribute.archived !== true);
		archived = own.length - active.length;
		return active.map(({ name }) => String(name));
	};

	const active = await sweep([], list, async (name) => {
		await putAttribute(session, name, { archived: true });
	});

	const described = `Custom attributes whose name begins with ${attributePrefix}`;
	const forever = 'No request can delete them';
	const byHand = `${forever}: archive them in the dashboard.`;
	if (!active) left.push(`${described}: ${unknown}. ${byHand}`);
	else if (active.length > 0) left.push(`${described}, not archived: ${active.length}. ${byHand}`);
	if (active && archived > 0) {
		left.push(`${described}, archived: ${archived}. ${forever}; a later run uses them again.`);
	}
}
