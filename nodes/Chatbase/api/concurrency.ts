/** Works on entries in order, at most `maximum` at a time. If one fails, no more are started. */
export async function forEachLimited<Entry>(
	entries: Entry[],
	maximum: number,
	work: (entry: Entry) => Promise<void>,
): Promise<void> {
	let next = 0;

	const workThrough = async () => {
		try {
			while (next < entries.length) {
				const entry = entries[next];
				next++;
				await work(entry);
			}
		} finally {
			next = entries.length;
		}
	};

	const workers = Array.from({ length: Math.min(maximum, entries.length) }, workThrough);
	const results = await Promise.allSettled(workers);

	const failure = results.find((result) => result.status === 'rejected');
	if (failure) throw failure.reason;
}
