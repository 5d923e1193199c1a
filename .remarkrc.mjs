/** What `npm run lint` checks in documents: links to files and headings, and words that readers found cryptic. */
import validateLinks from 'remark-validate-links';

/** Earlier words of this project, and the plain word for each. */
const plainWords = {
	anew: 'again',
	'begin anew': 'start over',
	'begins anew': 'starts over',
	blanks: 'spaces',
	'by itself': 'alone, or name who acts',
	'e-mail': 'email',
	'e-mails': 'emails',
	'for good': 'permanently',
	'for having left': 'missing',
	'given out': 'output, returned',
	'gives out': 'outputs, returns',
	guard: 'safety limit',
	guards: 'safety limits',
	'in vain': 'fails',
	'in words': 'as a text, or leave it out',
	leaver: 'missing contact',
	leavers: 'missing contacts',
	'lines meet': 'branches join',
	'look first': 'preview',
	nameless: 'without an External ID',
	'nobody can tell': 'it is unknown',
	'not all kept': 'fields dropped',
	'nothing is nothing': 'missing, null and empty text are equal',
	'of its own': 'a separate, or leave it out',
	'of their own': 'separate, or leave it out',
	'out of use': 'archived',
	'should it': 'if it',
	'stays as it is': 'is unchanged',
	'sync list': 'Mirror',
	'truth value': 'boolean',
	twin: 'duplicate',
	twins: 'duplicates',
	'upper and lower case alike': 'case-insensitive',
	vendor: 'Chatbase',
	whoever: 'everyone who',
};

/** Warns of each of these words in the prose of a document. Code and links may have them. */
function plainLanguage() {
	const cryptic = new RegExp(`(?<![\\w-])(${Object.keys(plainWords).join('|')})(?![\\w-])`, 'gi');

	return function look(node, file) {
		if (node.type === 'text') {
			for (const [, found] of node.value.matchAll(cryptic)) {
				file.message(`"${found}": better ${plainWords[found.toLowerCase()]}`, {
					place: node.position,
				});
			}
		}
		for (const child of node.children ?? []) look(child, file);
	};
}

export default {
	plugins: [
		[validateLinks, { repository: false, skipPathPatterns: [/issues\/new\/choose$/] }],
		plainLanguage,
	],
};
