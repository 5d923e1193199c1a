/** What is wrong with a Base URL, and how to put it right. */
export interface BaseUrlFault {
	title: string;
	nextStep: string;
}

/**
 * Reads the address of the API as somebody has typed it. Blanks around it and slashes at its end are harmless.
 *
 * @param typed the field Base URL of the credential
 * @returns the address as paths are appended to it, or why none can be
 */
export function readBaseUrl(typed: unknown): { baseUrl: string } | BaseUrlFault {
	const baseUrl = String(typed ?? '')
		.trim()
		.replace(/\/+$/, '');
	const address = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
	if (!address || !/^https?:$/.test(address.protocol)) {
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
