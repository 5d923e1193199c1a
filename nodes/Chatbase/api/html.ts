const entities: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};
const characters = Object.fromEntries(
	Object.entries(entities).map(([character, entity]) => [entity, character]),
);

/** Makes text safe where n8n renders HTML, which 2.41 does with the description of an error. */
export function escapeHtml(text: string): string {
	return text.replace(/[&<>"']/g, (character) => entities[character]);
}

/** Turns escaped text back, for places that show it as it is: output items and answers to agents. */
export function unescapeHtml(html: string): string {
	return html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters[entity]);
}
