/** Hints about the input: what is not sent, what is probably wrong, and which values were read in another form. */
import { hasExpression } from '../../../execution/context';
import type { InputItem } from '../../../execution/item';
import type { Run } from '../../../execution/run';
import { countFormat, isEmpty, isObject } from '../../../values/json';
import { firstOf, giveWay } from '../../../values/list';
import { abbreviate } from '../../../values/text';
import type { Attributes } from '../../customAttribute/attributeTypes';
import { contactFieldLabel } from '../panel/mapper';
import { textFormatOption, type WriteOperation } from '../panel/options';
import { bareName, isAttribute } from '../plan/values';
import type { ColumnPlan } from './columns';
import type { ContactParams } from './contactInput';

type ContactItem = Run<ContactParams>['items'][number];

/** Collects what hints say of the items of a run. */
interface HintCollector {
	add(entry: ContactItem): void;
	/** The hints, after all items were added. */
	hints(): string[];
}

/** Names what automatic mapping does not send, and values that are probably wrong or were read in another form. */
export async function warnOfInput(
	{ items, context }: Run<ContactParams>,
	operation: WriteOperation,
): Promise<void> {
	const collectors = [
		unsentColumns(operation),
		oddValues(),
		emptyFields(),
		rereadValues(),
		lackingColumns(),
	];

	for (const entry of items) {
		for (const collector of collectors) collector.add(entry);
		await giveWay();
	}
	for (const { hints } of collectors) hints().forEach((hint) => context.warn(hint));
}

const unknownColumns =
	'No contact field or custom attribute has these names. Correct the names, choose Map Each Column Manually, or make attributes with Custom Attribute: Create.';

/** Columns that are not sent, and with them the fields that no column fills. */
function unsentColumns(operation: WriteOperation): HintCollector {
	const plans = new Set<ColumnPlan>();
	const given = new Set<string>();
	let hasEmailAsId = false;

	return {
		add({ params: { plan, input } }) {
			if (!plan) return;
			plans.add(plan);
			for (const field of plan.unfilled) {
				if (input.values.has(field)) given.add(field);
			}
			if (plan.idOnly !== undefined && input.key.id?.includes('@')) hasEmailAsId = true;
		},

		hints() {
			const all = (namesIn: (plan: ColumnPlan) => readonly string[] | string) => [
				...new Set([...plans].flatMap(namesIn)),
			];
			const unfilled = all((plan) => plan.unfilled).filter(
				(field) => field !== 'external_id' && !given.has(field),
			);
			const unsent = all((plan) => plan.unsent);
			const outranked = all((plan) => plan.outranked);
			const hints = [
				...notSent('Not sent', unsent, unknownColumns),
				...notSent('Not sent', outranked, 'Another column fills the same field.'),
			];
			if (hasEmailAsId && unfilled.includes('email')) {
				const idColumns = all(({ idOnly }) => idOnly ?? []);
				const why = 'The column fills External ID alone.';
				hints.push(...notSent('Not sent to Email', idColumns, why));
			}

			const isTold = hints.length > 0 && unfilled.length > 0 && operation !== 'update';
			if (!isTold) return hints;
			const labels = unfilled.map((field) => shownName(field));
			return [`No column fills ${listOf(labels)}. ${hints.join(' ')}`];
		},
	};
}

function notSent(start: string, columns: readonly string[], why: string): string[] {
	if (columns.length === 0) return [];
	return [`${start}: ${namedColumns(columns)}. ${why}`];
}

/** A value that is probably wrong, although a service accepts it. */
interface Oddity {
	isOdd(value: string): boolean;
	/** Complete "1 value …" and "3 values …". */
	readonly one: string;
	readonly many: string;
	readonly advice?: string;
}

const oddPhone: Oddity = {
	isOdd: (value) => !/\d/.test(value) || /\p{L}/u.test(value),
	one: 'has no digit or has letters',
	many: 'have no digit or have letters',
};
const oddEmail: Oddity = {
	isOdd: (value) => !value.includes('@'),
	one: 'has no @',
	many: 'have no @',
};
const brokenText: Oddity = {
	isOdd: (value) => value.includes('\uFFFD'),
	one: 'has broken characters',
	many: 'have broken characters',
	advice: 'In Extract from File, choose another Encoding, such as Latin1.',
};

const oddities: ReadonlyMap<string, readonly Oddity[]> = new Map([
	['email', [oddEmail, brokenText]],
	['phonenumber', [oddPhone, brokenText]],
]);
const usualOddities = [brokenText];

interface OddField {
	readonly oddity: Oddity;
	/** Such as `Phone Number`. */
	readonly field: string;
	readonly example: string;
	count: number;
}

/** One line for each field: it counts the first thing that is odd about the field. */
function oddValues(): HintCollector {
	const odd = new Map<string, OddField>();

	return {
		add({ item, params }) {
			const { values, attributes } = params.input;
			for (const [name, value] of values) {
				if (typeof value !== 'string') continue;

				const known = odd.get(name);
				const candidates = known ? [known.oddity] : (oddities.get(name) ?? usualOddities);
				const oddity = candidates.find(({ isOdd }) => isOdd(value));
				if (!oddity) continue;

				if (known) known.count++;
				else {
					const field = shownName(name, attributes);
					odd.set(name, { oddity, field, example: exampleOf(value, item), count: 1 });
				}
			}
		},

		hints: () =>
			[...odd.values()].map(({ oddity, field, example, count }) => {
				const { one, many, advice = '' } = oddity;
				const counted = `${countFormat.format(count)} ${count === 1 ? `value ${one}` : `values ${many}`}`;
				return `${field}: ${counted}, such as ${example}. ${advice}`.trim();
			}),
	};
}

function exampleOf(value: string, item: InputItem): string {
	return `"${abbreviate(value)}" (${item.place})`;
}

/** Fields that are mapped by hand with an expression, and empty in all of several items. */
function emptyFields(): HintCollector {
	const filled = new Set<string>();
	let first: ContactItem | undefined;
	let count = 0;

	return {
		add(entry) {
			const { plan, input } = entry.params;
			if (plan) return;
			first ??= entry;
			count++;
			for (const values of [input.values, input.notSent]) {
				values.forEach((value, name) => {
					if (!isEmpty(value)) filled.add(name);
				});
			}
		},

		hints() {
			if (!first || count < 2) return [];

			const mapped = first.item.rawParameter('contactFields.value');
			const names = Object.entries(isObject(mapped) ? mapped : {})
				.filter(([name, value]) => name !== 'custom_attributes' && hasExpression(value))
				.map(([name]) => name);
			const { attributes } = first.params.input;
			const empty = names.filter((name) => !filled.has(name));
			return empty.map((name) => {
				const items = countFormat.format(count);
				return `${shownName(name, attributes)} is empty in all ${items} items. Check its expression.`;
			});
		},
	};
}

/** Says how values were read, with one example of each attribute. */
function rereadValues(): HintCollector {
	const examples = new Map<string, string>();

	return {
		add({ item, params }) {
			for (const { name, from, to } of params.notes) {
				if (examples.has(name)) continue;
				const field = shownName(name, params.input.attributes);
				examples.set(name, `${field}: ${exampleOf(from, item)} was read as ${to}.`);
			}
		},

		hints() {
			if (examples.size === 0) return [];
			const shown = [...examples.values()].slice(0, maxExamples);
			const option = textFormatOption.property.displayName;
			return [[...shown, `If this is wrong, change ${option} in Options.`].join(' ')];
		},
	};
}

const maxExamples = 10;

/** Columns that some items lack, so that their values were not cleared. */
function lackingColumns(): HintCollector {
	const lacking = new Set<string>();

	return {
		add: ({ params }) => params.lacking.forEach((column) => lacking.add(column)),

		hints() {
			if (lacking.size === 0) return [];
			return [
				`Some items lack ${namedColumns([...lacking])}, which clears nothing. To clear the values, turn on Include Empty Cells in Extract from File.`,
			];
		},
	};
}

/** A field or attribute by its label. */
function shownName(name: string, attributes?: Attributes): string {
	if (!isAttribute(name)) return contactFieldLabel(name) ?? name;
	return attributes?.get(bareName(name))?.label || bareName(name);
}

/** The first names. Quotes show spaces around a name, and an empty one. */
function namedColumns(names: readonly string[]): string {
	return firstOf(names, (name) => (/^\S(.*\S)?$/s.test(name) ? name : `"${name}"`));
}

/** Such as "Name, Email and Phone Number". */
function listOf(words: readonly string[]): string {
	return words.join(', ').replace(/, ([^,]*)$/, ' and $1');
}
