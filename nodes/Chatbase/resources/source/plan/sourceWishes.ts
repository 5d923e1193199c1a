import { agreementOf } from '../../../sync/agreement';
import { groupBy, type NonEmpty } from '../../../values/list';
import { sourceKeyOf, type Source } from './source';
import type { SourceInput, SourceWish } from './sourceInput';

/** Items about one source that want different content. */
export interface SourceContradiction {
	readonly items: readonly number[];
	/** Names of the fields with different content. */
	readonly names: readonly string[];
}

interface SourceWishes {
	readonly wishes: readonly SourceWish[];
	readonly contradictions: readonly SourceContradiction[];
}

/** Makes one wish of all items about one source. Items contradict each other if the result would depend on their order. */
export function sourceWishesOf(inputs: readonly SourceInput[]): SourceWishes {
	const { agreeing, contradicting } = agreementOf(inputs, {
		keyOf: ({ wanted }) => wanted.key,
		differencesBetween,
	});
	return {
		wishes: agreeing.map((group) => {
			const [{ wanted, settings }] = group;
			return { items: indicesOf(group), wanted, settings };
		}),
		contradictions: contradicting.map(({ entries, names }) => ({
			items: indicesOf(entries),
			names,
		})),
	};
}

function indicesOf([first, ...others]: NonEmpty<SourceInput>): NonEmpty<number> {
	return [first.index, ...others.map(({ index }) => index)];
}

function differencesBetween(one: SourceInput, other: SourceInput): string[] {
	const [left, right] = [one.wanted, other.wanted];
	const differs = (field: string) =>
		JSON.stringify(left.body[field]) !== JSON.stringify(right.body[field]);
	const isSame = left.fingerprint === right.fingerprint;
	const names = isSame ? [] : Object.keys(left.body).filter(differs);

	const haveSameSettings =
		JSON.stringify(one.settings) === JSON.stringify(other.settings);
	return haveSameSettings ? names : ['options', ...names];
}

export interface SourceMatch {
	readonly wish: SourceWish;
	/** The source of this type and name, if the chatbot has one. */
	readonly existing?: Source;
}

/** A wish for which several sources have the type and name. */
export interface AmbiguousWish {
	readonly wish: SourceWish;
	readonly candidates: readonly Source[];
}

interface SourceMatches {
	readonly matches: readonly SourceMatch[];
	readonly ambiguous: readonly AmbiguousWish[];
}

/** Finds the source of each wish. */
export function matchSources(
	wishes: readonly SourceWish[],
	listed: readonly Source[],
): SourceMatches {
	const sources = groupBy(listed, sourceKeyOf);
	const matches: SourceMatch[] = [];
	const ambiguous: AmbiguousWish[] = [];

	for (const wish of wishes) {
		const [existing, ...others] = sources.get(wish.wanted.key) ?? [];
		if (existing && others.length > 0) {
			ambiguous.push({ wish, candidates: [existing, ...others] });
		} else {
			matches.push({ wish, existing });
		}
	}
	return { matches, ambiguous };
}
