/** What a run reads from the service once with a credential. It is never changed. */
export class Lookups {
	private readonly values = new Map<string, Promise<unknown>>();

	/** Reads something for all who ask for it by this name. */
	async once<Value>(name: string, read: () => Promise<Value>): Promise<Value> {
		const value = (this.values.get(name) as Promise<Value> | undefined) ?? read();
		this.values.set(name, value);
		return await value;
	}
}
