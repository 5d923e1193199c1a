/** What the vendor's published schema of version 2 has that the contract of the simulated service lacks, and the other way round. */
import { z } from 'zod';

import { endpoints } from '../v2/contract';
import { errorCodes } from '../v2/errors';

/** A schema of JSON, as OpenAPI and zod write it. */
interface JsonSchema {
	$ref?: string;
	properties?: Record<string, JsonSchema>;
	enum?: unknown[];
	const?: unknown;
	items?: JsonSchema;
	anyOf?: JsonSchema[];
	oneOf?: JsonSchema[];
	allOf?: JsonSchema[];
}

interface Operation {
	parameters?: Array<{ $ref?: string; name?: string; in?: string; schema?: JsonSchema }>;
	requestBody?: { content?: Record<string, { schema?: JsonSchema }> };
	responses?: Record<string, { 'x-error-codes'?: string[] }>;
}

/** The parts of an OpenAPI document that are compared. */
export interface PublishedSchema {
	paths: Record<string, Record<string, Operation>>;
	components?: Record<string, Record<string, unknown>>;
}

/** Names of fields, each with the values of its list, if it has one. */
type Fields = Map<string, Set<string>>;

/** One line for each difference, in the order of the contract. */
export function schemaDifferences(published: PublishedSchema): string[] {
	const operations = operationsOf(published);
	const known = Object.values(endpoints).map(({ method, path }) => nameOf(method, path));

	const changed = Object.values(endpoints).flatMap((endpoint) => {
		const name = nameOf(endpoint.method, endpoint.path);
		const found = operations.get(name) ?? [];
		if (found.length === 0) return [`${name}: not published`];

		const query = merged(found.map((one) => queryOf(one, published)));
		const body = merged(found.map((one) => bodyOf(one, published)));
		return [
			...compared(`${name}, query`, query, fieldsOf(jsonSchemaOf(endpoint.query), published)),
			...compared(`${name}, body`, body, fieldsOf(jsonSchemaOf(endpoint.body), published)),
			...newCodes(name, found),
		];
	});

	const added = [...operations.keys()].filter((name) => !known.includes(name));
	return [...changed, ...added.map((name) => `${name}: the contract lacks it`)];
}

/** By method and path. An upload stands at a second path, with the prefix of the version. */
function operationsOf({ paths }: PublishedSchema): Map<string, Operation[]> {
	const operations = new Map<string, Operation[]>();
	for (const [path, methods] of Object.entries(paths)) {
		for (const [method, operation] of Object.entries(methods)) {
			if (!/^(get|post|put|patch|delete)$/.test(method)) continue;
			const name = nameOf(method, path.replace(/^\/api\/v2/, ''));
			operations.set(name, [...(operations.get(name) ?? []), operation]);
		}
	}
	return operations;
}

/** Names of path parameters may differ. */
function nameOf(method: string, path: string): string {
	return `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`;
}

function queryOf({ parameters = [] }: Operation, published: PublishedSchema): Fields {
	const fields: Fields = new Map();
	for (const one of parameters) {
		const parameter = resolved(one, published);
		if (parameter.in !== 'query' || parameter.name === undefined) continue;
		fields.set(parameter.name, valuesOf(parameter.schema ?? {}, published));
	}
	return fields;
}

function bodyOf({ requestBody }: Operation, published: PublishedSchema): Fields {
	const contents = Object.values(requestBody?.content ?? {});
	return merged(contents.map(({ schema = {} }) => fieldsOf(schema, published)));
}

function jsonSchemaOf(schema: z.ZodType): JsonSchema {
	return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
}

/** The fields of an object, whichever of its forms has them. */
function fieldsOf(schema: JsonSchema, published: PublishedSchema): Fields {
	const { properties = {}, anyOf = [], oneOf = [], allOf = [] } = resolved(schema, published);
	const own: Fields = new Map(
		Object.entries(properties).map(([name, field]) => [name, valuesOf(field, published)]),
	);
	const forms = [...anyOf, ...oneOf, ...allOf].map((form) => fieldsOf(form, published));
	return merged([own, ...forms]);
}

function valuesOf(schema: JsonSchema, published: PublishedSchema): Set<string> {
	const { enum: values = [], const: only, items, ...forms } = resolved(schema, published);
	const { anyOf = [], oneOf = [], allOf = [] } = forms;
	const inner = [...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
	const own = only === undefined ? values : [...values, only];
	// Whether a field may be null is no value of its list.
	const listed = own.filter((value) => value !== null).map(String);
	return new Set([...listed, ...inner.flatMap((one) => [...valuesOf(one, published)])]);
}

function resolved<Part extends { $ref?: string }>(part: Part, published: PublishedSchema): Part {
	if (part.$ref === undefined) return part;
	const [, , kind, name] = part.$ref.split('/');
	return (published.components?.[kind]?.[name] ?? {}) as Part;
}

function merged(all: Fields[]): Fields {
	const result: Fields = new Map();
	for (const [name, values] of all.flatMap((fields) => [...fields])) {
		result.set(name, new Set([...(result.get(name) ?? []), ...values]));
	}
	return result;
}

function compared(place: string, published: Fields, contract: Fields): string[] {
	const lines = [
		...lacking(published.keys(), contract).map((name) => `${place}: ${name} is new`),
		...lacking(contract.keys(), published).map((name) => `${place}: ${name} is gone`),
	];
	for (const [name, values] of published) {
		const known = contract.get(name);
		// A text that the contract takes as it is has no list.
		if (!known || known.size === 0) continue;
		const added = lacking(values, known).map((value) => `${value} is new`);
		const gone = lacking(known, values).map((value) => `${value} is gone`);
		if (values.size > 0)
			lines.push(...[...added, ...gone].map((text) => `${place}, ${name}: ${text}`));
	}
	return lines;
}

/** The names that the others don't have. */
function lacking(names: Iterable<string>, others: { has(name: string): boolean }): string[] {
	return [...names].filter((name) => !others.has(name));
}

function newCodes(name: string, operations: Operation[]): string[] {
	const responses = operations.flatMap((one) => Object.values(one.responses ?? {}));
	const codes = new Set(responses.flatMap((response) => response['x-error-codes'] ?? []));
	const known: readonly string[] = errorCodes;
	return [...codes]
		.filter((code) => !known.includes(code))
		.map((code) => `${name}, error code: ${code} is new`);
}
