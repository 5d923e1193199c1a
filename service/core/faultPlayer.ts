/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** Applies the faults of one exchange. */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

import type { FastifyReply } from 'fastify';

import type { Fault, Substitute } from './faults';
import { plantedBodyV2 } from '../v2/errors';

/** What Fastify hands over for sending. */
export type Payload = string | Buffer | Readable | null | undefined;

interface Substitution {
	status: number;
	headers: Record<string, string>;
	body: string;
}

/**
 * Applies the faults before the handling in order, until one ends the exchange.
 *
 * @returns whether one has ended it, so the request must not be handled
 */
export async function playBeforeHandling(faults: Fault[], reply: FastifyReply): Promise<boolean> {
	for (const fault of faults) {
		if (fault.kind === 'delay') await setTimeout(fault.ms);
		if (fault.kind === 'resetBefore') return takeOver(reply, () => reply.raw.destroy());
		if (fault.kind === 'stall' && !fault.handled) return takeOver(reply, () => undefined);

		const answer = substituteOf(fault, reply);
		if (answer && !(fault as Substitute).handled) {
			void reply.code(answer.status).headers(answer.headers).send(answer.body);
			return true;
		}
	}
	return false;
}

function takeOver(reply: FastifyReply, action: () => void): true {
	reply.hijack();
	action();
	return true;
}

/**
 * Applies the faults that replace or break a response.
 *
 * @returns what to send instead, or `never` when nothing more may be sent by the framework
 */
export async function playOnReply(
	faults: Fault[],
	reply: FastifyReply,
	payload: Payload,
): Promise<{ send: Payload } | 'never'> {
	for (const fault of faults) {
		switch (fault.kind) {
			case 'resetAfter':
				reply.raw.destroy();
				return 'never';
			case 'stall':
				return 'never';

			case 'resetMidBody': {
				const body = await wholeOf(payload);
				await breakOff(reply, body, Math.floor(body.length / 2));
				return 'never';
			}

			case 'streamBreak':
				await breakOff(reply, payload, fault.afterBytes);
				return 'never';

			case 'cutJson': {
				const body = await wholeOf(payload);
				void reply.removeHeader('content-length');
				return { send: body.subarray(0, Math.floor(body.length / 2)) };
			}

			default: {
				const answer = substituteOf(fault, reply);
				if (!answer) continue;

				if (payload instanceof Readable) payload.destroy();
				for (const name of ['content-length', 'content-type']) void reply.removeHeader(name);
				void reply.code(answer.status).headers(answer.headers);
				return { send: answer.body };
			}
		}
	}
	return { send: payload };
}

function substituteOf(fault: Fault, { request }: FastifyReply): Substitution | undefined {
	switch (fault.kind) {
		case 'status':
			return answered(fault.status, fault.body ?? plantedBody(fault.status, request.url), {
				...fault.headers,
			});
		case 'otherShape':
			return answered(200, fault.body);
		case 'empty':
			return answered(200, '');
		case 'redirect':
			return answered(fault.status ?? 302, '', { location: fault.location });
		default:
			return undefined;
	}
}

function plantedBody(status: number, url: string): object {
	return url.startsWith('/api/v2/')
		? plantedBodyV2(status)
		: { message: `Simulated status ${status}` };
}

function answered(
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): Substitution {
	const isText = typeof body === 'string';
	const text = isText ? body : JSON.stringify(body);
	const type = isText ? textType(text) : 'application/json; charset=utf-8';
	const named = Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
	);
	return { status, headers: { 'content-type': type, ...named }, body: text };
}

function textType(text: string): string {
	return text.trimStart().startsWith('<')
		? 'text/html; charset=utf-8'
		: 'text/plain; charset=utf-8';
}

async function wholeOf(payload: Payload): Promise<Buffer> {
	if (!(payload instanceof Readable)) return Buffer.from(payload ?? '');
	const parts: Buffer[] = [];
	for await (const part of payload) parts.push(Buffer.from(part as Uint8Array));
	return Buffer.concat(parts);
}

/** Sends the headers of the response and the first bytes of its body, and breaks the connection after they are sent. */
async function breakOff(reply: FastifyReply, payload: Payload, afterBytes: number): Promise<void> {
	const { raw } = reply;
	const headers = { ...reply.getHeaders() };
	if (!(payload instanceof Readable)) headers['content-length'] = Buffer.byteLength(payload ?? '');
	raw.writeHead(reply.statusCode, headers as Record<string, string | number>);
	raw.flushHeaders();

	let left = afterBytes;
	const parts = payload instanceof Readable ? payload : [Buffer.from(payload ?? '')];
	for await (const part of parts) {
		const bytes = Buffer.from(part as Uint8Array).subarray(0, left);
		left -= bytes.length;
		if (bytes.length > 0) await new Promise((resolve) => raw.write(bytes, resolve));
		if (left <= 0) break;
	}

	raw.destroy();
}
