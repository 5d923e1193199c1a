/**
 * Works on all of a list, several at once, begun in the list's order.
 *
 * @returns the results in the order of the list
 */
export async function inOrder<Item, Outcome>(
	items: Item[],
	concurrency: number,
	work: (item: Item) => Promise<Outcome>,
): Promise<Outcome[]> {
	const results: Outcome[] = [];
	let next = 0;
	const takeTurns = async () => {
		while (next < items.length) {
			const index = next++;
			results[index] = await work(items[index]);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, takeTurns));
	return results;
}
