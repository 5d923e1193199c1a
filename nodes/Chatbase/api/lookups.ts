/** What a run reads from the service only once for each credential. It is never changed. */
export class Lookups {
	private readonly values = new Map<string, Promise<unknown>>();

	/** Reads something once. Later calls with the same name get the same result. */
	async once<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const value = (this.values.get(name) as Promise<Value> | undefined) ?? read();
		this.values.set(name, value);
		return await value;
	}
}
