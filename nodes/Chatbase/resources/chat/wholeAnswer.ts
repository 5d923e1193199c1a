/** How JSON begins that holds more than one value; text in Markdown may begin with a bracket as well. */
const beginsAsJson = /^(\{\s*("|\}|$)|\[\s*([[{"\d]|$))/;

/** How the pages of proxies and logins begin. */
const beginsAsPage = /^<(!doctype|!--|\?xml|html|head|body)/i;

/**
 * Reads an answer that did not come as a stream of pieces: the object that the API promises without streaming, or
 * bare text under a content type that stands for something else.
 *
 * @param body the whole of what arrived
 * @param contentType of the response
 * @returns the body as it would be without streaming; text where it is no answer, but part of an object or a page
 */
export function readWholeAnswer(body: string, contentType: string): unknown {
	const json = parseJson(body);
	const start = body.trimStart();
	if (typeof json === 'object') return json;
	if (typeof json === 'string') return { text: json };
	const isPage = beginsAsPage.test(start) || (/\bhtml\b/i.test(contentType) && start[0] === '<');
	return isPage || beginsAsJson.test(start) ? body : { text: body };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}
