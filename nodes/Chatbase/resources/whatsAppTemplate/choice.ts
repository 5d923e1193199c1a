import type { Template } from './templates';

/** What a user chose or typed in Template. What is undefined can be any. */
export interface TemplateChoice {
	name: string;
	language?: string;
	account?: string;
}

/** Between the parts of a stored choice. Meta allows no bars in names. */
const bar = '|';

/** A choice From List, as workflows store it. */
export function storedChoice({ name, language, account }: Template): string {
	return [name, language, account].join(bar);
}

/**
 * @param value a choice From List, or a name that was typed
 * @param typedLanguage of Language under Options, which counts for a name only
 */
export function readChoice(value: string, typedLanguage = ''): TemplateChoice {
	const [name, language, account] = value.trim().split(bar);

	return {
		name,
		language: language || typedLanguage.trim() || undefined,
		account: account || undefined,
	};
}

/** All templates that a choice can mean. */
export function matchesOf(templates: Template[], choice: TemplateChoice): Template[] {
	const { name, language, account } = choice;

	return templates.filter(
		(template) =>
			template.name === name &&
			(language === undefined || template.language === language) &&
			(account === undefined || template.account === account),
	);
}

/** Such as `"order_update, en_US"`, for errors. */
export function quoteChoice({ name, language }: TemplateChoice): string {
	return `"${[name, language].filter(Boolean).join(', ')}"`;
}
