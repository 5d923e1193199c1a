/**
 * How many more pages of the list to read for contacts whose IDs are wanted, instead of reading those
 * contacts one by one.
 *
 * The rule is to read a page while no more pages are left than IDs are missing. Several pages can be read
 * at once as long as the rule would ask for each of them even if all pages before it were full of wanted
 * contacts: then no request is made that reading one after the other would not make.
 *
 * @param missing how many wanted IDs were not found yet
 * @param pagesLeft how many pages were not read yet
 * @param perPage contacts a page
 * @returns 0 when the rest is cheaper one by one, or nothing is missing or left
 */
export function pagesToRead(missing: number, pagesLeft: number, perPage: number): number {
	let pages = 0;
	while (
		pages < pagesLeft &&
		missing - pages * perPage > 0 &&
		pagesLeft - pages <= missing - pages * perPage
	) {
		pages++;
	}
	return pages;
}
