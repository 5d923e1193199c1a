/** Bodies of streamed responses, cut into chunks. */
import fc from 'fast-check';

/** A body that arrives in the given chunks, and counts how often it was told that data had arrived. */
export function streamOf(chunks: Uint8Array[], isEndless = false) {
	const restarts = { count: 0 };
	const body = (async function* () {
		yield* chunks;
		if (isEndless) await new Promise(() => {});
	})();
	return { restarts, stream: Object.assign(body, { restartTimeout: () => restarts.count++ }) };
}

/** Cuts a body into chunks at the given places, wherever characters end. */
export function cut(body: string, places: number[]): Uint8Array[] {
	const whole = Buffer.from(body);
	const ends = [...new Set(places.map((place) => place % (whole.length + 1)))].sort(
		(one, other) => one - other,
	);
	return [...ends, whole.length].map((end, index) =>
		whole.subarray(index === 0 ? 0 : ends[index - 1], end),
	);
}

export const anyPlaces = fc.array(fc.nat({ max: 5000 }), { maxLength: 30 });

export const everyPlace = (body: string) => Array.from(Buffer.from(body), (_, index) => index);
