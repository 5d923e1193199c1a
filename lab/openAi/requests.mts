/** The shapes that both interfaces share. */
import { z } from 'zod';

import { type OfferedTool } from './turn.mjs';

/** Of a message; a long one may come in parts. */
export const content = z.union([z.string(), z.array(z.object({ text: z.string() }))]);

/** A tool; the name is at most 64 letters, digits, underscores and hyphens. */
export const functionTool = z.object({
	name: z.string().regex(/^[\w-]{1,64}$/),
	description: z.string(),
	parameters: z.object({
		properties: z.record(z.string(), z.object({ description: z.string().optional() })),
	}),
});

export function textOf(value: z.infer<typeof content>): string {
	return typeof value === 'string' ? value : value.map(({ text }) => text).join('');
}

export function offered({
	name,
	description,
	parameters,
}: z.infer<typeof functionTool>): OfferedTool {
	const words = Object.entries(parameters.properties).map(
		([key, value]) => [key, value.description ?? ''] as const,
	);
	return { name, description, parameters: Object.fromEntries(words) };
}
