/** Tags that end a line, and those whose content nobody reads. */
const lineEnds = new Set(['br', 'p', 'div', 'li', 'tr']);
const unread = new Set(['style', 'script']);

const entities: Record<string, string> = {
	'&amp;': '&',
	'&gt;': '>',
	'&lt;': '<',
	'&nbsp;': ' ',
	'&quot;': '"',
	'&#39;': "'",
};

/** The text of HTML, read once from start to end, since a stranger may have written it. */
export function withoutTags(html: unknown): string {
	const source = String(html ?? '');
	const pieces: string[] = [];
	let position = 0;

	while (position < source.length) {
		const start = source.indexOf('<', position);
		const end = start < 0 ? -1 : source.indexOf('>', start);

		// Without another tag, all that is left is text.
		if (end < 0) {
			pieces.push(source.slice(position));
			break;
		}

		pieces.push(source.slice(position, start));
		const { name, isClosing } = tagIn(source, start);
		const isLineEnd = lineEnds.has(name) && (isClosing || name === 'br');
		if (isLineEnd) pieces.push('\n');
		position = unread.has(name) && !isClosing ? endOfElement(source, name, end) : end + 1;
	}

	return pieces
		.join('')
		.replace(/&(?:amp|gt|lt|nbsp|quot|#39);/g, readEntity)
		.trim();
}

/** The name of the tag that begins at a position; empty for a comment. */
function tagIn(source: string, start: number) {
	// No name that matters is longer than this.
	const [, slash = '', name = ''] =
		/^<(\/?)([a-z]*)\b/i.exec(source.slice(start, start + 10)) ?? [];
	return { name: name.toLowerCase(), isClosing: slash !== '' };
}

/** Where the content after an element begins. An element that is never closed goes on to the end, as in a browser. */
function endOfElement(source: string, name: string, from: number): number {
	const closing = new RegExp(`</${name}\\s*>`, 'gi');
	closing.lastIndex = from;
	return closing.test(source) ? closing.lastIndex : source.length;
}

function readEntity(entity: string): string {
	return entities[entity];
}
