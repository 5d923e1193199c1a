/** Reads the Base URL as it was typed. Spaces around it and slashes at its end are ignored. */
export function readBaseUrl(typed: unknown) {
	const baseUrl = String(typed ?? '')
		.trim()
		.replace(/\/+$/, '');
	const address = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	const fault = (what: string, nextStep: string) => ({
		title: `The Base URL of the credential ${what}`,
		nextStep,
	});
	// `URL` accepts `http:host`, n8n's HTTP client does not.
	if (!address || !/^https?:\/\/[^/\\]/i.test(baseUrl)) {
		return fault(
			'is not a web address',
			'Enter the full address with the version at the end, such as https://www.chatbase.co/api/v1.',
		);
	}
	if (address.username || address.password) {
		return fault(
			'has a user or password',
			'They would be sent instead of the API key. Remove everything between "//" and "@".',
		);
	}
	// After a `?` or `#` with nothing behind it, `URL` shows empty parts, but the path would be lost.
	if (/[?#]/.test(baseUrl)) {
		return fault(
			'has a "?" or "#"',
			'Remove it and everything after it. The address must end with the version, such as https://www.chatbase.co/api/v1.',
		);
	}
	return { baseUrl };
}

/** Chatbase accepts files only at a separate host (reference of version 2, 14.3). Other services have none. */
export function fileRootOf(root: string): string {
	const address = new URL(root);
	if (address.host !== 'www.chatbase.co') return root;
	address.host = 'files.chatbase.co';
	return address.href;
}

/** Fills a path such as `/chatbots/{chatbotId}/contacts`; each value (see `isPathSegment`) becomes one segment. */
export function fillPath(template: string, values: Record<string, string> = {}): string {
	return template.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name]));
}

/** Whether text can be part of a path. `.` and `..` lead to another path, and half a character can't be encoded. */
export function isPathSegment(text: string): boolean {
	return text.trim() !== '' && !/^\.{1,2}$|\p{Surrogate}/u.test(text);
}
