/** What stands for the key in an error. */
const hiddenKey = '[API key]';

/** Hides the key in text from outside, also where JSON writes its characters with a backslash or as codes. */
export function redact(text: string, apiKey: string): string {
	if (apiKey === '') return text;

	const characters = apiKey.split('').map((character) => {
		const code = character.charCodeAt(0).toString(16).padStart(4, '0');
		const inAnyCase = code.replace(
			/[a-f]/g,
			(digit) => `[${digit}${digit.toUpperCase()}]`,
		);
		return `(?:\\\\?${character.replace(/\W/, '\\$&')}|\\\\u${inAnyCase})`;
	});
	return text.replace(new RegExp(characters.join(''), 'g'), hiddenKey);
}

/** Text in JSON can be JSON again, as a service writes a body into its message. */
const maxNesting = 3;

/** The API keys of a run, of which each item can have another. */
export class SecretKeys {
	private readonly keys = new Set<string>();

	/** The lengths of the keys, in characters. */
	private readonly lengths = new Set<number>();

	add(key: string): void {
		if (key === '') return;
		this.keys.add(key);
		this.lengths.add(key.length);
	}

	/** Hides the keys in text from outside. Its time grows with the text, and not with the number of keys. */
	hideIn(text: string): string {
		return [...this.keysIn(text)].reduce(redact, text);
	}

	/** Looks at each part of the text that has the length of a key, since a search for each key would take too long. */
	private keysIn(text: string): Set<string> {
		const found = new Set<string>();

		for (const form of formsOf(text)) {
			for (const length of this.lengths) {
				for (let start = 0; start + length <= form.length; start++) {
					const part = form.slice(start, start + length);
					if (this.keys.has(part)) found.add(part);
				}
			}
		}
		return found;
	}
}

/** A text, and what it is without the backslashes and codes of JSON. */
function formsOf(text: string): Set<string> {
	const forms = new Set([text]);
	let form = text;

	for (let level = 0; level < maxNesting && form.includes('\\'); level++) {
		form = form.replace(
			/\\(?:u([\da-fA-F]{4})|([^]))/g,
			(_, code?: string, plain = '') =>
				code === undefined ? String(plain) : String.fromCharCode(parseInt(code, 16)),
		);
		forms.add(form);
	}
	return forms;
}
