/** The email address of the customer that the example "Escalations to the team" finds in a conversation. */
import { assignmentOf, evaluate, parametersOf } from './exampleNode';

const email = assignmentOf(parametersOf('escalations-to-the-team', 'Set details'), 'email');

function emailIn(...texts: string[]): unknown {
	const messages = texts.map((text) => ({ role: 'user', parts: [{ type: 'text', text }] }));
	return evaluate(email, { json: { messages } });
}

it.each([
	['I am Ada@Example.com.', 'ada@example.com'],
	['<ada.love+shop@mail.example.co.uk>', 'ada.love+shop@mail.example.co.uk'],
	['ada@example.com or bea@example.com?', 'bea@example.com'],
	['mailto:ada@example.com', 'ada@example.com'],
	["O'Neil@example.com", "o'neil@example.com"],
	["write to 'ada@example.com'", 'ada@example.com'],
	['"ada@example.com", please', 'ada@example.com'],
	['joséa@example.com', ''],
	['ada@example', ''],
	['@example.com', ''],
	['Hello', ''],
])('finds the last address in "%s"', (text, expected) => {
	expect(emailIn(text)).toBe(expected);
});

it('finds the last address of several messages', () => {
	expect(emailIn('ada@example.com', 'No, bea@example.com', 'Please!')).toBe('bea@example.com');
});

it.each([
	['a local part', `${'a'.repeat(65)}@example.com`],
	['a part of a domain', `ada@example.${'c'.repeat(64)}`],
	['a part of a domain before others', `ada@${'e'.repeat(64)}.com`],
])('cuts no address out of a longer one: %s that is too long', (_, text) => {
	expect(emailIn(text)).toBe('');
});

it.each(['a', 'a.', '@', 'a@', 'a@b.', 'a@b-', 'a@b.c'])(
	'reads 200,000 characters of "%s" in time that grows with their number',
	(piece) => {
		const startedAt = performance.now();
		emailIn(piece.repeat(200_000 / piece.length));
		expect(performance.now() - startedAt).toBeLessThan(1000);
	},
);
