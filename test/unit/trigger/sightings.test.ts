import { Sightings } from '../../../nodes/ChatbaseTrigger/sightings';

interface Item {
	id?: string;
	name?: string;
	at?: number;
}

const sightingsOf = (since: number, latest: number) =>
	new Sightings<Item>({ keyOf: ({ id }) => id, momentOf: ({ at }) => at }, since, latest);

it('counts what comes for the first time, by key or else by content', () => {
	const sightings = sightingsOf(0, 100);
	expect(sightings.add([{ id: 'a', at: 1 }, { id: 'a', at: 2 }, { name: 'x' }])).toBe(2);
	expect(sightings.add([{ id: 'a' }, { name: 'x' }, { name: 'y' }])).toBe(1);
});

it('keeps what matters, and knows the newest moment of all', () => {
	const sightings = sightingsOf(10, 100);
	sightings.add([{ id: 'old', at: 9 }, { id: 'at', at: 10 }, { id: 'none' }]);
	expect(sightings.all.map(({ key }) => key)).toEqual(['at']);
	expect(sightings.newest).toBe(10);
});

it('does not take a moment far ahead for the newest, but reports the record', () => {
	const sightings = sightingsOf(0, 100);
	sightings.add([
		{ id: 'now', at: 50 },
		{ id: 'ahead', at: 101 },
	]);
	expect(sightings.newest).toBe(50);
	expect(sightings.all.map(({ key }) => key)).toEqual(['now', 'ahead']);
});
