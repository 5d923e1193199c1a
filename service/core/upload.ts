/** Reads a multipart body into plain values. */
import { createHash } from 'node:crypto';

import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/**
 * The parts by name: text as a string, a file as its name, media type and size in bytes. What an
 * image shows is ignored.
 *
 * @param isSource whether a file also has its SHA-256 and, if it is a short text, this text
 */
export async function uploadedParts(
	request: FastifyRequest,
	isSource: boolean,
): Promise<Record<string, unknown>> {
	const parts: Record<string, unknown> = {};
	for await (const part of request.parts()) {
		parts[part.fieldname] = part.type === 'file' ? await fileIn(part, isSource) : part.value;
	}
	return parts;
}

/** Longer texts are not kept. */
const maxTextBytes = 64 * 1024;

/** A large file is never in memory as a whole: a client that is measured may run in the same process. */
async function fileIn({ filename, mimetype, file }: MultipartFile, isSource: boolean) {
	const hash = createHash('sha256');
	const start: Buffer[] = [];
	let size = 0;
	for await (const chunk of file as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (isSource) hash.update(chunk);
		if (isSource && size <= maxTextBytes) start.push(chunk);
	}
	if (!isSource) return { filename, mimetype, size };

	const isShortText = /\.txt$/i.test(filename) && size <= maxTextBytes;
	const text = isShortText ? { text: Buffer.concat(start).toString() } : {};
	return { filename, mimetype, size, sha256: hash.digest('hex'), ...text };
}
