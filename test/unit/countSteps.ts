/** Counts what functions do with lists, which does not depend on the speed of the machine. */

type Callback = (...rest: unknown[]) => unknown;

const visiting = [
	'every',
	'filter',
	'find',
	'findIndex',
	'flatMap',
	'forEach',
	'map',
	'reduce',
	'some',
] as const;
const copying = ['concat', 'includes', 'indexOf', 'reverse', 'slice', 'toReversed'] as const;

/**
 * The number of elements of arrays that were visited or copied.
 * @param arrays the prototype of the arrays
 */
export async function countSteps(
	work: () => void | Promise<void>,
	arrays: unknown[] = Array.prototype as unknown[],
): Promise<number> {
	let steps = 0;
	const prototype = arrays as unknown as Record<string | symbol, Callback>;
	const originals = new Map<string | symbol, Callback>();
	const replace = (name: string | symbol, make: (original: Callback) => Callback) => {
		if (!(name in prototype)) return;
		originals.set(name, prototype[name]);
		Object.defineProperty(prototype, name, {
			configurable: true,
			writable: true,
			value: make(prototype[name]),
		});
	};
	for (const name of visiting) {
		replace(
			name,
			(original) =>
				function (this: unknown, visit, ...rest) {
					const counted = (...values: unknown[]) => {
						steps++;
						return (visit as Callback)(...values);
					};
					return original.call(this, counted, ...rest);
				},
		);
	}
	for (const name of copying) {
		replace(
			name,
			(original) =>
				function (this: unknown, ...rest) {
					const result = original.apply(this, rest);
					steps += Array.isArray(result) ? result.length : (this as unknown[]).length;
					return result;
				},
		);
	}
	replace(
		Symbol.iterator,
		(original) =>
			function (this: unknown) {
				const iterator = original.call(this) as Iterator<unknown>;
				const next = iterator.next.bind(iterator);
				iterator.next = () => {
					steps++;
					return next();
				};
				return iterator;
			},
	);
	try {
		await work();
	} finally {
		for (const [name, value] of originals) {
			Object.defineProperty(prototype, name, { configurable: true, writable: true, value });
		}
	}
	return steps;
}
