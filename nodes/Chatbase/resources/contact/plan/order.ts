import { normalizeEmail } from './contact';

/** A change of a contact that exists, as far as addresses are concerned. */
export interface AddressChange {
	/** The address that the contact has. */
	from: unknown;
	/** The address that it is to have; undefined when that is not mentioned. */
	to: unknown;
}

/** In which order changes can be made. */
export interface ChangeOrder {
	/** The changes by their number, none of them before the one that it waits for. */
	order: number[];
	/** For each change the one that it waits for. */
	after: Array<number | undefined>;
	/** Changes that wait for each other in a circle, which no order can help. */
	inSwap: ReadonlySet<number>;
}

/**
 * Puts changes into an order in which no address is taken before it is given up, as services demand that let an
 * address belong to one contact only.
 */
export function orderOf(changes: AddressChange[]): ChangeOrder {
	const givers = new Map<string, number>();
	changes.forEach(({ from, to }, index) => {
		const address = normalizeEmail(from);
		if (to !== undefined && address !== undefined && normalizeEmail(to) !== address) {
			givers.set(address, index);
		}
	});
	const after = changes.map(({ from, to }) => {
		const address = normalizeEmail(to);
		return address === undefined || address === normalizeEmail(from)
			? undefined
			: givers.get(address);
	});
	const order: number[] = [];
	const inSwap = new Set<number>();
	const isPlaced = changes.map(() => false);
	for (const start of changes.keys()) {
		const path: number[] = [];
		let index: number | undefined = start;
		for (; index !== undefined && !isPlaced[index]; index = after[index]) {
			isPlaced[index] = true;
			path.push(index);
		}
		const circleStart = index === undefined ? -1 : path.indexOf(index);
		if (circleStart >= 0) {
			path.slice(circleStart).forEach((member) => inSwap.add(member));
			after[path[path.length - 1]] = undefined;
		}
		path.reverse().forEach((member) => order.push(member));
	}
	return { order, after, inSwap };
}
