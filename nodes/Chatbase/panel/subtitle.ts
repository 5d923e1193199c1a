import type { Resource } from './operation';

/**
 * An expression for the line below the name of a node, such as "Get Many: Contact". It looks up its text in a table that
 * is made from the resources, so that no operation needs another rule.
 */
export function subtitleFor(resources: Resource[]): string {
	const subtitles = resources.flatMap(({ option, operations }) =>
		operations.map(({ value, name }) => [
			`${option.value}.${value}`,
			`${name}: ${option.name}`,
		]),
	);
	const table = JSON.stringify(Object.fromEntries(subtitles));

	return `={{ (${table})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}
