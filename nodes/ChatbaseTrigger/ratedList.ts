import type { IDataObject } from 'n8n-workflow';

import type { PagedList } from '../Chatbase/api/paginate';

export type Rating = 'positive' | 'negative';

/** The conversations of a search by rating. A search does not return the rating. */
export function withRating(
	rating: Rating,
	list: PagedList<IDataObject>,
): PagedList<IDataObject> {
	return {
		...list,
		async read(position) {
			const page = await list.read(position);
			return { ...page, items: page.items.map((item) => ({ ...item, rating })) };
		},
	};
}

/** Lists with cursors as one list. The position of a page is the number of its list and its cursor there. */
export function oneAfterAnother(
	lists: ReadonlyArray<PagedList<IDataObject>>,
): PagedList<IDataObject> {
	const [list] = lists;

	return {
		...list!,
		first: `0 ${list!.first}`,
		async read(position) {
			const [, number, cursor = ''] = /^(\d+) (.*)$/s.exec(String(position))!;
			const index = Number(number);
			const page = await lists[index]!.read(cursor);
			if (page.next !== undefined) return { ...page, next: `${index} ${page.next}` };

			const following = lists[index + 1];
			return following ? { ...page, next: `${index + 1} ${following.first}` } : page;
		},
	};
}
