const maxNames = 10;

export function firstOf(names: string[]): string {
	const more = names.length > maxNames ? ' …' : '';
	return names.slice(0, maxNames).join(', ') + more;
}
