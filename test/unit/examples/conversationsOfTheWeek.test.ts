/** The texts of visitors in the CSV file of the example "Conversations of the week". */
import { parametersOf, runCode } from './exampleNode';

async function cellFor(title: string | null): Promise<unknown> {
	const { jsCode } = parametersOf('conversations-of-the-week', 'Keep texts as texts');
	const returned = await runCode(jsCode, { input: [{ title, user: 'ada' }] });
	const [{ json }] = returned as [{ json: Record<string, unknown> }];
	expect(json.user).toBe('ada');
	return json.title;
}

it.each([
	'=HYPERLINK("https://example.org?"&A1)',
	'+1+1',
	'-1+1',
	'@SUM(A1)',
	'＝1+1',
	'＋1',
	'－1',
	'＠SUM(A1)',
])('%j is no formula', async (title) => {
	expect(await cellFor(title)).toBe(`'${title}`);
});

it.each([
	['Hi;=1+1', "Hi;'=1+1"],
	['Hi\n=1+1', "Hi\n'=1+1"],
	['Hi\t@SUM(A1)', "Hi\t'@SUM(A1)"],
	['\t=1+1', "\t'=1+1"],
	['\r=1+1', "\r'=1+1"],
])('nor where a program splits %j', async (title, expected) => {
	expect(await cellFor(title)).toBe(expected);
});

it.each([
	'Where is it?',
	'a=b + c - d @ e',
	'Thanks,-Ada',
	'User: Hello\n  - one\n  - two',
	"'=1+1",
	'2026-11-23 09:00',
	'',
])('%j stays as it is', async (title) => {
	expect(await cellFor(title)).toBe(title);
});

it('an empty cell stays empty', async () => {
	expect(await cellFor(null)).toBe('');
});
