interface BaseUrlFault {
	title: string;
	nextStep: string;
}

/** Reads the address of the API as somebody has typed it. Spaces around it and slashes at its end are harmless. */
export function readBaseUrl(typed: unknown): { baseUrl: string } | BaseUrlFault {
	const baseUrl = String(typed ?? '')
		.trim()
		.replace(/\/+$/, '');
	const address = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	// URL reads `http:host` as well, which n8n's HTTP client does not.
	if (!address || !/^https?:\/\/[^/\\]/i.test(baseUrl)) {
		return {
			title: 'The Base URL of the credential is not a web address',
			nextStep:
				'Enter it in full with the version at the end, such as https://www.chatbase.co/api/v1.',
		};
	}
	if (address.username || address.password) {
		return {
			title: 'The Base URL of the credential holds a name or a password',
			nextStep: 'They would be sent instead of the API key. Remove everything between // and @.',
		};
	}
	// A lone ? or # leaves both parts empty, and would swallow the path all the same.
	if (/[?#]/.test(baseUrl)) {
		return {
			title: 'The Base URL of the credential has a ? or # in it',
			nextStep:
				'Remove it with everything behind it. The address ends with the version, such as https://www.chatbase.co/api/v1.',
		};
	}
	return { baseUrl };
}

/** Fills a path such as `/chatbots/{chatbotId}/contacts`; each value (see `isPathSegment`) becomes one segment. */
export function fillPath(template: string, values: Record<string, string>): string {
	return template.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(values[name]));
}

/** Whether text can be a part of a path: `.` and `..` lead to another path, half a character cannot be encoded. */
export function isPathSegment(text: string): boolean {
	return text.trim() !== '' && !/^\.{1,2}$|\p{Surrogate}/u.test(text);
}
