/** Says in words what kind of value was found. */
export function describeValue(value: unknown): string {
	if (value === null || value === undefined || value === '') return 'empty';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'object') return 'an object';
	if (typeof value === 'boolean') return `the Boolean ${value}`;
	return typeof value === 'number' ? `the number ${value}` : `the text "${String(value)}"`;
}
