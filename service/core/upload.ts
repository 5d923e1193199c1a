/** Reads a multipart body into plain values. */
import { createHash } from 'node:crypto';

import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

/**
 * The parts by name: text as a string, a file as its name, media type and size in bytes. What an
 * image shows is ignored.
 *
 * @param withHash whether a file also has its SHA-256
 */
export async function uploadedParts(
	request: FastifyRequest,
	withHash: boolean,
): Promise<Record<string, unknown>> {
	const parts: Record<string, unknown> = {};
	for await (const part of request.parts()) {
		parts[part.fieldname] = part.type === 'file' ? await fileIn(part, withHash) : part.value;
	}
	return parts;
}

/** A file is never in memory as a whole: a client that is measured may run in the same process. */
async function fileIn({ filename, mimetype, file }: MultipartFile, withHash: boolean) {
	const hash = createHash('sha256');
	let size = 0;
	for await (const chunk of file as AsyncIterable<Buffer>) {
		size += chunk.length;
		if (withHash) hash.update(chunk);
	}
	return { filename, mimetype, size, ...(withHash && { sha256: hash.digest('hex') }) };
}
