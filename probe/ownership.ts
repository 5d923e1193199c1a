/** The prefixes of the probe, and the check of every request before it is sent. */
import { objectOf } from './shapes';

/** The start of the External ID or the name of every scratch contact and source, in all runs. */
export const scratchPrefix = 'n8n-nodes-chatbase-probe-';

/** The start of the name of every scratch attribute. A service may allow no hyphens in names. */
export const attributePrefix = 'n8n_probe_';

const prefixes = new Map([
	['contacts', scratchPrefix],
	['custom-attributes', attributePrefix],
]);

/** What is about to be sent. */
interface OutgoingRequest {
	method: string;
	/** Relative to the base address, encoded. */
	path: string;
	body: unknown;
}

/** Of the API. No path of version 1 begins like those of version 2. */
export function versionOf(path: string): 1 | 2 {
	return /^\/agents(\/|$)/.test(path) ? 2 : 1;
}

/**
 * Refuses a request that could reach more than its path says, or write something
 * that the probe didn't make.
 *
 * @param made what the probe made in version 2, such as `sources/ID`
 * @throws Error without the path, which may contain an ID
 */
export function refuseForeign(request: OutgoingRequest, made: ReadonlySet<string>): void {
	const { method, path, body } = request;
	const segments = path.replace(/^\//, '').split('/').map(decodeURIComponent);
	if (/[?#\\]/.test(path) || segments.some(isNoName)) {
		throw new Error(`${method}: a part of the path is empty, or made of dots.`);
	}
	if (method === 'GET') return;

	if (versionOf(path) === 2) {
		if (isOwnWork({ method, path: segments.slice(2).join('/'), body }, made)) return;
		throw new Error(`${method}: this is nothing that the probe has made.`);
	}

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

/** Whether an ID has no character with a meaning in a path. */
export function isPlainId(id: unknown): id is string {
	return typeof id === 'string' && /^[\w-]+$/.test(id);
}

/** Whether such an ID has the prefix. */
export function isOwnId(id: unknown, prefix: string): id is string {
	return isPlainId(id) && id.startsWith(prefix);
}

/** Whether a source, or the fields of one that is written, has a name of the probe. */
export function isOwnSource(source: unknown): boolean {
	const { name, type } = objectOf(source);
	return (
		(type === 'text' || type === 'file') &&
		typeof name === 'string' &&
		isOwnId(name.trim(), scratchPrefix)
	);
}

/** Whether a service could ignore a segment of a path, or read it as the parent. */
export function isNoName(segment: string): boolean {
	return /^\s*\.{0,2}\s*$/.test(segment);
}

/** @param request with the path below the chatbot */
function isOwnWork(request: OutgoingRequest, made: ReadonlySet<string>): boolean {
	const { method, path, body } = request;
	if (method === 'POST') {
		const [, conversation] = /^(conversations\/[^/]+)\/tool-result$/.exec(path) ?? [];
		if (conversation !== undefined) return made.has(conversation);
		return path === 'chat' || (path === 'sources' && isOwnSource(body));
	}
	if (!made.has(path)) return false;
	if (!path.startsWith('sources/')) return method === 'PATCH';

	const isOwn = isOwnSource({ type: 'text', ...objectOf(body) });
	return method === 'DELETE' || (method === 'PUT' && isOwn);
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
