import fc from 'fast-check';

import { textOfHtml } from '../../../nodes/Chatbase/resources/ticket/get';

it.each([
	['<p>Cats &amp; dogs<br>&lt;3</p>', 'Cats & dogs\n<3'],
	['<style>p { color: red }</style><p>Hi</p>', 'Hi'],
	['<SCRIPT src="a">if (a < b) c()</SCRIPT >Hi', 'Hi'],
	['<ul><li>One</li><li>Two</li></ul>', 'One\nTwo'],
	['<b>bold</b><!-- a note --> text', 'bold text'],
	['&quot;it&#39;s&quot;&nbsp;here', `"it's" here`],
	// Each entity is read once.
	['&amp;lt;', '&lt;'],
	['1 < 2', '1 < 2'],
	['<style>never closed <p>Hi</p>', ''],
	['<pre>code</pre>', 'code'],
	['', ''],
	[null, ''],
	[undefined, ''],
])('has the text of %j', (html, text) => {
	expect(textOfHtml(html)).toBe(text);
});

it('leaves text without < and & as it is, apart from outer spaces', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (text) => {
			fc.pre(!/[<&]/.test(text));
			expect(textOfHtml(text)).toBe(text.trim());
		}),
	);
});

it.each([
	'<',
	'<a',
	'<style',
	'<style>',
	'<style>a</styl',
	'</style ',
	'&',
	'&amp',
	'<!--',
	'<>',
	' ',
])('reads one megabyte of %j in a moment', (unit) => {
	const html = unit.repeat(1_000_000 / unit.length);
	const start = performance.now();
	textOfHtml(html);
	textOfHtml(`<style>${html}`);
	// Reading it once for each character would take minutes.
	expect(performance.now() - start).toBeLessThan(5000);
});
