/**
 * What stands for the search and the model of a chatbot, where a person chats with the simulation. Invented: the service
 * uses a language model. Here, the text, text file or Q&A that shares the most words with the question is the
 * answer.
 */
import type { ScoredText } from './answer';
import type { Source } from '../v2/state';

/** Something that the chatbot was taught. */
interface Passage {
	answer: string;
	words: Set<string>;
}

/** Words that are in too many questions to say what one is about. */
const commonWords = new Set(
	'about also does from have much that them then there they this what when where which will with your'.split(
		' ',
	),
);

/**
 * Answers from texts, short text files and Q&As; other files are not kept. A source counts from the moment it was sent, though its training
 * takes longer in the service.
 *
 * @returns the answer, scored by the part of the question's words that it has; undefined if it shares none
 */
export function answerFromSources(question: string, sources: Source[]): ScoredText | undefined {
	const asked = wordsOf(question);
	const passages = sources.filter(isKnown).flatMap(passagesOf);

	let best: Passage | undefined;
	let mostShared = 1;
	for (const passage of passages) {
		const shared = [...asked].filter((word) => passage.words.has(word)).length;
		// Of equal ones, the last is the newest.
		if (shared < mostShared) continue;
		best = passage;
		mostShared = shared;
	}
	return best && { text: best.answer, score: mostShared / asked.size };
}

function isKnown({ isGone, status }: Source): boolean {
	return !isGone && status !== 'failed' && status !== 'toBeDeleted';
}

function passagesOf({ taught }: Source): Passage[] {
	const {
		file,
		content = file?.text ?? '',
		questions = [],
		answer,
	} = taught as {
		file?: { text?: string };
		content?: string;
		questions?: string[];
		answer?: string;
	};
	if (answer !== undefined) return [{ answer, words: wordsOf([...questions, answer].join(' ')) }];

	const paragraphs = content.split(/\n\s*\n/).map((paragraph) => paragraph.trim());
	return paragraphs.map((paragraph) => ({ answer: paragraph, words: wordsOf(paragraph) }));
}

/** Words of four letters and more, and numbers. */
function wordsOf(text: string): Set<string> {
	const words = text.toLowerCase().match(/\p{L}{4,}|\p{N}+/gu) ?? [];
	return new Set(words.filter((word) => !commonWords.has(word)));
}
