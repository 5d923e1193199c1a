const maxQuotedLength = 100;

/** Text as errors and hints quote it: of a very long one, only the start. */
export function abbreviate(text: string, maxLength = maxQuotedLength): string {
	return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text;
}
