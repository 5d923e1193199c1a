import { abbreviate } from '../../../nodes/Chatbase/values/text';

it.each([
	['of 100 characters', 'a'.repeat(100), 'a'.repeat(100)],
	['of 101 characters', 'a'.repeat(101), `${'a'.repeat(100)} …`],
	['with an emoji at the limit', `${'a'.repeat(99)}🦊b`, `${'a'.repeat(99)} …`],
])('quotes the first 100 characters of a text %s', (_, text, quoted) => {
	expect(abbreviate(text)).toBe(quoted);
});
