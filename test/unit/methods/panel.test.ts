import { byName, matching } from '../../../nodes/Chatbase/methods/panel';

const choices = ['GPT-5', 'gpt-5-mini', 'o3'].map((value) => ({ name: `${value} (x)`, value }));
const found = (...[filter, textOf]: [string?, Parameters<typeof matching>[2]?]) =>
	matching(choices, filter, textOf).results.map(({ value }) => value);

it('choices are found by any part of what the list shows', () => {
	expect(found()).toEqual(['GPT-5', 'gpt-5-mini', 'o3']);
	expect(found(' gpt-5 ')).toEqual(['GPT-5', 'gpt-5-mini']);
	expect(found('O3')).toEqual(['o3']);
	expect(found('x)')).toEqual(['GPT-5', 'gpt-5-mini', 'o3']);
	expect(found('nothing')).toEqual([]);
});

it('choices are found by another text where one is named', () => {
	expect(found('x)', ({ value }) => String(value))).toEqual([]);
});

it('choices are sorted as a reader would', () => {
	const names = ['b', 'A', 'a', 'é'].map((name) => ({ name, value: name }));
	expect(names.sort(byName).map(({ name }) => name)).toEqual(['a', 'A', 'b', 'é']);
});
