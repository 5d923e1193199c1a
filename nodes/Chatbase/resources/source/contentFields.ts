import {
	choice,
	choiceField,
	type Field,
	optionalField,
	requiredField,
	type Shown,
	writtenByModel,
} from '../../panel/field';
import {
	boolean,
	filledText,
	only,
	stringList,
	text,
	textUpTo,
	type ValueType,
} from '../../panel/types';
import type { SourceType } from './plan/source';

const paths: ValueType<string[]> = {
	...stringList,
	rule: 'Enter one path per line. To send an empty list, use the expression {{ [] }}.',
};

/** Limits: reference of version 2. */
const questionList = only(
	stringList,
	'a list of 1 to 50 questions',
	({ length }) => length >= 1 && length <= 50,
);

const nameField = optionalField('name', 'Name', text, {
	description:
		'Name of the source, up to 100 characters for a text. If it is empty, a file keeps its own name. Create or Update and Mirror find the source by this name.',
	placeholder: 'e.g. Return policy',
});

/** The fields for what a source holds, by its type. */
const contentFields = (
	collection: '' | 'options.' | 'updateFields.',
	field = optionalField,
) => ({
	text: [
		field(`${collection}content`, 'Content', textUpTo(1_048_576), {
			description:
				'What the chatbot learns, up to 1,048,576 characters. It replaces earlier content.',
			typeOptions: { rows: 6 },
			placeholder: 'e.g. You can return a parcel within 30 days.',
		}),
	],
	qna: [
		field(`${collection}questions`, 'Questions', questionList, {
			description: 'Up to 50 questions, one per line, or a list from an expression',
			typeOptions: { rows: 3 },
			placeholder: 'e.g. How do I return a parcel?',
		}),
		field(`${collection}answer`, 'Answer', filledText, {
			description: 'The answer to all of the questions',
			typeOptions: { rows: 4 },
			placeholder: 'e.g. Within 30 days, with the label in the box.',
		}),
	],
	link: [
		field(`${collection}excludePaths`, 'Exclude Paths', paths, {
			description: 'Paths to leave out, as regular expressions, one per line',
			typeOptions: { rows: 2 },
			placeholder: 'e.g. /blog/.*',
		}),
		field(`${collection}includeOnlyPaths`, 'Include Only Paths', paths, {
			description: 'Only these paths, as regular expressions, one per line',
			typeOptions: { rows: 2 },
			placeholder: 'e.g. /docs/.*',
		}),
		field(`${collection}slowScraping`, 'Slow Scraping', boolean, {
			description: 'Whether to read the pages slowly, for a website that limits requests',
			default: true,
		}),
	],
	file: field(`${collection}binaryPropertyName`, 'Input Data Field Name', filledText, {
		description:
			'A PDF, Word or text file up to 20 MB: .pdf, .doc, .docx, .txt, .csv, .json or .md',
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the input field containing the file',
	}),
});

/** The fields for the content of a source to write. Its type says which of them are needed. */
export const content = contentFields('', (path, label, type, look) =>
	requiredField(path, label, type, { ...look, required: false }),
);
const { file, ...otherChanges } = contentFields('updateFields.');
export const newFileField = file;
/** The fields for a source to change. The type of that source is not known. */
export const changeableContentFields: Field[] = Object.values(otherChanges).flat();
export const changeableSourceFields: Shown[] = [
	nameField,
	newFileField,
	...changeableContentFields,
];
export const linkOptions = shownForTypes(
	['link'],
	contentFields('options.').link,
	'/sourceType',
);

const typeLook = {
	description: 'What the chatbot learns from',
	default: 'text',
} as const;
export const matchableTypes: Record<'text' | 'qna' | 'file', [string, string]> = {
	text: ['Text', 'A text that you write or read from elsewhere'],
	qna: ['Q&A', 'Questions with one answer'],
	file: ['File', 'A PDF, Word or text file of the input item'],
};
// Required: if an expression returns nothing, no text may be meant, and Mirror could delete the source of another type.
export const matchableTypeField = requiredField(
	'sourceType',
	'Source Type',
	choice(matchableTypes),
	{
		...typeLook,
		// n8n's guidelines fix the description of Create or Update, and the Actions list shows none.
		hint: 'May need a higher plan',
	},
);
export const sourceTypeField = requiredField(
	'sourceType',
	'Source Type',
	choice({ ...matchableTypes, link: ['Link', 'A page or website that Chatbase reads'] }),
	typeLook,
);

export const linkTypeField = choiceField('linkType', 'Link Type', {
	description: 'Which pages Chatbase reads',
	default: 'individual',
	choices: {
		individual: ['Individual', 'Only this page'],
		sitemap: ['Sitemap', 'All pages in the sitemap at the URL'],
		crawl: ['Crawl', 'All pages that Chatbase finds by following links'],
	},
});

export function shownForTypes(
	sourceType: SourceType[],
	fields: Field[],
	path = 'sourceType',
): Field[] {
	const displayOptions = { show: { [path]: sourceType } };
	return fields.map((field) => ({
		...field,
		property: { ...field.property, displayOptions },
	}));
}

const urlField = optionalField('url', 'URL', text, {
	description: 'Address of the page or website',
	placeholder: 'e.g. https://example.com/docs',
});

const nameFields = shownForTypes(['text', 'qna', 'file'], [nameField]);
const textFields = [
	...shownForTypes(['text'], content.text),
	...shownForTypes(['qna'], content.qna),
];
const fileFields = shownForTypes(['file'], [content.file]);

/** The fields for sources that the node can recognize in a later run. */
export const matchableFields: Shown[] = [
	matchableTypeField,
	...nameFields,
	...textFields,
	...fileFields,
];

export const createFields: Shown[] = [
	sourceTypeField,
	...nameFields,
	...textFields.flatMap((field) => writtenByModel(field)),
	...fileFields,
	...shownForTypes(['link'], [urlField, linkTypeField]),
];
