/** Reads a multipart body into plain values. */
import type { FastifyRequest } from 'fastify';

/**
 * The parts by name: text as a string, a file as its name, media type and size in bytes. What an
 * image shows is ignored.
 */
export async function uploadedParts(request: FastifyRequest): Promise<Record<string, unknown>> {
	const parts: Record<string, unknown> = {};
	for await (const part of request.parts()) {
		parts[part.fieldname] =
			part.type === 'file'
				? { filename: part.filename, mimetype: part.mimetype, size: (await part.toBuffer()).length }
				: part.value;
	}
	return parts;
}
