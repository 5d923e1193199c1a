import { addressOf } from './contact';

/** A change of a contact that exists, as far as addresses are concerned. */
export interface AddressChange {
	/** The address that the contact has. */
	from: unknown;
	/** The address that it is to have; undefined when that is not mentioned. */
	to: unknown;
}

/**
 * Puts changes into an order in which no address is taken before it is given up, as services demand that let an
 * address belong to one contact only.
 *
 * @returns for each change the one that has to come before it; `inSwap` names those that wait for each other in a
 *   circle, which no order can help
 */
export function orderOf(changes: AddressChange[]): {
	after: Array<number | undefined>;
	inSwap: ReadonlySet<number>;
} {
	const givers = new Map<string, number>();
	changes.forEach(({ from, to }, index) => {
		const address = addressOf(from);
		if (to !== undefined && address !== undefined && addressOf(to) !== address) {
			givers.set(address, index);
		}
	});
	const after = changes.map(({ from, to }, index) => {
		const address = addressOf(to);
		const giver =
			address === undefined || address === addressOf(from) ? undefined : givers.get(address);
		return giver === index ? undefined : giver;
	});
	const inSwap = new Set<number>();
	const isDone = changes.map(() => false);
	for (const start of changes.keys()) {
		const path: number[] = [];
		let index: number | undefined = start;
		while (index !== undefined && !isDone[index]) {
			isDone[index] = true;
			path.push(index);
			index = after[index];
		}
		const circle: number[] = index === undefined ? [] : path.slice(path.indexOf(index));
		if (index === undefined || !path.includes(index)) continue;
		circle.forEach((member) => inSwap.add(member));
		after[index] = undefined;
	}
	return { after, inSwap };
}
