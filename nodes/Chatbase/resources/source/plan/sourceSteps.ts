/** What a run does for its items: inputs become wishes, wishes find their sources, and each of these is a step. */
import type { OwnTitle } from '../../../api/ownErrors';
import { agreementOf, contradictionText } from '../../../sync/agreement';
import { groupBy, type NonEmpty } from '../../../values/list';
import { sourceKeyOf, type Source, type WantedSource } from './source';

/** How sources are written; the same for all items about a source. */
export interface UpsertSettings {
	readonly chatbotId: string;
	readonly dryRun: boolean;
	/** Whether the source is sent even if it has not changed. */
	readonly alwaysSend: boolean;
	/** How many milliseconds to wait for the training, at most; 0 for no wait. */
	readonly wait: number;
}

/** What Create or Update and Mirror read of an item. */
export interface SourceInput {
	readonly index: number;
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}

/** A source that one or more items want. */
export interface SourceWish {
	/** The numbers of the items. */
	readonly items: Readonly<NonEmpty<number>>;
	readonly wanted: WantedSource;
	readonly settings: UpsertSettings;
}

/** Items that can't get their source, and why. */
export interface RefusedItems {
	readonly items: readonly number[];
	readonly title: OwnTitle;
	readonly nextStep: string;
}

interface SourceWishes {
	readonly wishes: readonly SourceWish[];
	readonly refused: readonly RefusedItems[];
}

/** Makes one wish of all items about one source. Items are refused if the result would depend on their order. */
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
		refused: contradicting.map(({ entries, names }) =>
			contradictionOf(entries, { names, isAll: entries.length === inputs.length }),
		),
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

interface Difference {
	/** Names of the fields with different content. */
	readonly names: readonly string[];
	/** Whether the items are all items of the run. */
	readonly isAll: boolean;
}

function contradictionOf(
	entries: NonEmpty<SourceInput>,
	{ names, isAll }: Difference,
): RefusedItems {
	const items = indicesOf(entries);
	const text = contradictionText('source', names);
	const [{ wanted }] = entries;
	if (!names.includes('file')) return { items, ...text };

	const all = isAll ? 'All ' : '';
	const nextStep = `${all}${items.length} items have the Name "${wanted.name}". ${namingAdvice(wanted)}`;
	return { items, title: text.title, nextStep };
}

/** Removing duplicates would drop documents, so different files need different names. */
function namingAdvice({ name, file }: WantedSource): string {
	const hasFileName = file !== undefined && name.endsWith(file.fileName);
	return hasFileName
		? 'Their files have one name. Add what tells them apart, such as the folder.'
		: 'Drag the file name into it.';
}

export interface SourceMatch {
	readonly wish: SourceWish;
	/** The source of this type and name, if the chatbot has one. */
	readonly existing?: Source;
}

interface SourceMatches {
	readonly matches: readonly SourceMatch[];
	readonly refused: readonly RefusedItems[];
}

/** Finds the source of each wish. Its items are refused if several sources have its type and name. */
export function matchSources(
	wishes: readonly SourceWish[],
	listed: readonly Source[],
): SourceMatches {
	const sources = groupBy(listed, sourceKeyOf);
	const matches: SourceMatch[] = [];
	const refused: RefusedItems[] = [];

	for (const wish of wishes) {
		const candidates = sources.get(wish.wanted.key) ?? [];
		if (candidates.length > 1) refused.push(ambiguityOf(wish, candidates));
		else matches.push({ wish, existing: candidates[0] });
	}
	return { matches, refused };
}

function ambiguityOf({ items }: SourceWish, candidates: readonly Source[]): RefusedItems {
	const ids = candidates.map(({ id }) => id).join(' and ');
	return {
		items,
		title: 'Several sources have this name',
		nextStep: `They have the IDs ${ids}. Delete or rename all but one.`,
	};
}

interface CreateStep {
	readonly kind: 'create';
	readonly wish: SourceWish;
}

interface ExistingStep {
	readonly kind: 'update' | 'unchanged';
	readonly wish: SourceWish;
	readonly source: Source;
}

/** What a run does for a wish. */
export type SourceStep = CreateStep | ExistingStep;

/** @param taught the IDs of the sources that hold what their wishes want, as far as n8n remembers */
export function sourceStepFor(
	{ wish, existing }: SourceMatch,
	taught: ReadonlySet<string>,
): SourceStep {
	if (!existing) return { kind: 'create', wish };

	const isLearned = taught.has(existing.id) && existing.status !== 'failed';
	const isUnchanged = isLearned && !wish.settings.alwaysSend;
	return { kind: isUnchanged ? 'unchanged' : 'update', wish, source: existing };
}
