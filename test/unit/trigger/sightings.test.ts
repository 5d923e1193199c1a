import { Sightings } from '../../../nodes/ChatbaseTrigger/sightings';

interface Item {
	id?: string;
	name?: string;
	at?: unknown;
}

const second = 1_700_000_000;
const at = (seconds: number) => (second + seconds) * 1000;

const sightingsOf = (since: number, latest: number) =>
	new Sightings<Item>({ keyOf: ({ id }) => id, timeOf: ({ at: time }) => time }, at(since), {
		latest: at(latest),
	});

it('counts what comes for the first time, by key or else by content', () => {
	const sightings = sightingsOf(0, 100);
	expect(sightings.add([{ id: 'a', at: 1 }, { id: 'a', at: 2 }, { name: 'x' }])).toBe(2);
	expect(sightings.add([{ id: 'a' }, { name: 'x' }, { name: 'y' }])).toBe(1);
	expect(sightings.count).toBe(3);
});

it('keeps what matters, and knows the newest moment of all', () => {
	const sightings = sightingsOf(10, 100);
	sightings.add([
		{ id: 'old', at: second + 9 },
		{ id: 'at', at: second + 10 },
	]);
	expect(sightings.all.map(({ key }) => key)).toEqual(['at']);
	expect(sightings.newest).toBe(at(10));
});

it('does not take a moment far ahead for the newest, but reports the record', () => {
	const sightings = sightingsOf(0, 100);
	sightings.add([
		{ id: 'now', at: second + 50 },
		{ id: 'ahead', at: second + 101 },
	]);
	expect(sightings.newest).toBe(at(50));
	expect(sightings.all.map(({ key }) => key)).toEqual(['now', 'ahead']);
});

it('reads times in every writing, and counts the records without one', () => {
	const sightings = sightingsOf(0, 100);
	sightings.add([
		{ id: 'seconds', at: second + 1 },
		{ id: 'milliseconds', at: at(2) },
		{ id: 'digits', at: String(second + 3) },
		{ id: 'more digits', at: String(at(4)) },
		{ id: 'text', at: new Date(at(5)).toISOString() },
		{ id: 'nothing', at: null },
		{ id: 'word', at: 'soon' },
		{ id: 'word', at: 'soon' },
	]);
	const seen = sightings.all.map(({ key, moment }) => [key, moment]);
	expect(seen).toEqual([
		['seconds', at(1)],
		['milliseconds', at(2)],
		['digits', at(3)],
		['more digits', at(4)],
		['text', at(5)],
	]);
	expect(sightings.undated).toEqual({ count: 2, example: 'nothing' });
});
