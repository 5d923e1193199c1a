/** A refusal of the service, also by failed validation. */
import type { z } from 'zod';

/** One thing wrong with a request. Public pages: what a 400 of the contacts family adds. */
export interface Issue {
	/** Dotted path of the field, such as `custom_attributes.age`. */
	field: string;
	message: string;
}

/** Thrown anywhere while a request is handled; becomes the response. */
export class Refusal extends Error {
	/**
	 * @param status HTTP status of the response
	 * @param message the response's `message`
	 * @param issues what is wrong, field by field; for status 400
	 */
	constructor(
		readonly status: number,
		message: string,
		readonly issues: Issue[] = [],
	) {
		super(message);
	}
}

/** The issues of a failed validation. Each unknown key is an issue with its name. */
export function issuesOf(error: z.ZodError): Issue[] {
	return error.issues.flatMap((issue) =>
		issue.code === 'unrecognized_keys'
			? issue.keys.map((key) => ({
					field: [...issue.path, key].join('.'),
					message: 'Unknown field',
				}))
			: [{ field: issue.path.join('.'), message: issue.message }],
	);
}

/**
 * The value as its schema reads it.
 *
 * @throws Refusal with status 400 and every issue when the value breaks the schema
 */
export function validated<Schema extends z.ZodType>(
	schema: Schema,
	value: unknown,
): z.output<Schema> {
	const result = schema.safeParse(value);
	if (!result.success) throw badRequest(issuesOf(result.error));
	return result.data;
}

/** Status 400. Contract, "Errors": invalid input parameters. */
export function badRequest(issues: Issue[]): Refusal {
	return new Refusal(400, 'Invalid input parameters', issues);
}
