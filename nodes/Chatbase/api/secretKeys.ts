/** What stands for the key in an error. */
const hiddenKey = '[API key]';

/** Hides the key in text from outside: as it is, and as JSON writes it. */
export function redact(text: string, apiKey: string): string {
	if (apiKey === '') return text;

	const inJson = JSON.stringify(apiKey).slice(1, -1);
	return text.replaceAll(apiKey, hiddenKey).replaceAll(inJson, hiddenKey);
}

/** The API keys of a run, of which each item can have another. */
export class SecretKeys {
	private readonly keys = new Set<string>();

	add(key: string): void {
		this.keys.add(key);
	}

	/** Hides the keys in text from outside. */
	hideIn(text: string): string {
		return [...this.keys].reduce(redact, text);
	}
}
