/** What belongs to the probe, and the check that every request passes before it leaves. */
import { objectOf } from './shapes';

/** Begins the External ID of every contact that the probe makes, of whichever run. */
export const scratchPrefix = 'n8n-nodes-chatbase-probe-';

/** Begins the name of every custom attribute that the probe makes. A service may allow no hyphens in names. */
export const attributePrefix = 'n8n_probe_';

const prefixes = new Map([
	['contacts', scratchPrefix],
	['custom-attributes', attributePrefix],
]);

/**
 * Refuses a request that could reach more than its path says, or make, change or delete something
 * that is not the probe's.
 *
 * @param path relative to the base address, encoded
 * @throws Error without the path, which may hold somebody's ID
 */
export function refuseForeign(method: string, path: string, body: unknown): void {
	const segments = path.replace(/^\//, '').split('/').map(decodeURIComponent);
	if (/[?#\\]/.test(path) || segments.some(isNoName)) {
		throw new Error(`${method}: a part of the path is empty, or made of dots.`);
	}
	if (method === 'GET') return;

	const isCreation = method === 'POST';
	const [last, parent] = segments.reverse();
	// Chats, and settings of a chatbot that does not exist.
	if (isCreation && parent === undefined) return;
	const prefix = prefixes.get(isCreation ? last : parent);
	const ids = isCreation ? createdIds(body) : [last, ...newIds(body)];
	if (!prefix || !ids.every((id) => isOwnId(id, prefix))) {
		throw new Error(`${method}: the ID does not begin with the prefix of the probe.`);
	}
}

/** Whether the probe makes such IDs: with the prefix, and without a character that has a meaning in a path. */
export function isOwnId(id: unknown, prefix: string): id is string {
	return typeof id === 'string' && id.startsWith(prefix) && /^[\w-]+$/.test(id);
}

/** Whether a service could take a part of a path for no part at all, or for the one above it. */
export function isNoName(segment: string): boolean {
	return /^\s*\.{0,2}\s*$/.test(segment);
}

function createdIds(body: unknown): unknown[] {
	const { users, name } = objectOf(body);
	return Array.isArray(users) ? users.map((user) => objectOf(user).external_id) : [name];
}

/** The External ID that a change gives to a contact. */
function newIds(body: unknown): unknown[] {
	const data = objectOf(objectOf(body).data);
	return 'external_id' in data ? [data.external_id] : [];
}
