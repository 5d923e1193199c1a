/** What the panel of the trigger shows for each event. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ChatbaseTrigger } from '../../../nodes/ChatbaseTrigger/ChatbaseTrigger.node';

const { properties } = new ChatbaseTrigger().description;
const options = properties[0].options as INodePropertyOptions[];
const events = options.map(({ value }) => String(value));

const shownFor = (event: string, { displayOptions }: INodeProperties) =>
	Object.values(displayOptions?.show ?? {}).every((values) => values!.includes(event));

it.each(events)(
	'shows Trigger On, Chatbot, at most one notice and no empty collection when the event is %s',
	(event) => {
		const shown = properties.filter((field) => shownFor(event, field));
		expect(shown.map(({ displayName, type }) => (type === 'notice' ? type : displayName))).toEqual([
			'Trigger On',
			'Chatbot',
			...(/^contact|^answer|Updated$/.test(event) ? ['notice'] : []),
			...(/^contact|Started$|^lead/.test(event) ? ['Filters'] : []),
			// A rating has no time, so it has no Report Changes Since.
			event === 'answerRated' ? 'Rating' : 'Options',
		]);
	},
);

it.each([
	['contactCreated', ['Custom Attributes', 'Has Email'], ['Page Size', 'Report Changes Since']],
	['contactUpdated', ['Custom Attributes', 'Has Email'], ['Page Size', 'Report Changes Since']],
	['conversationStarted', ['Channels', 'Other Channels'], ['Report Changes Since']],
	['leadCreated', ['Has Email'], ['Report Changes Since']],
])('offers the filters and options that apply when the event is %s', (event, filters, settings) => {
	const offered = (name: string) =>
		(properties.find((field) => field.name === name)!.options as INodeProperties[])
			.filter((field) => shownFor(event, field))
			.map(({ displayName }) => displayName);
	expect([offered('filters'), offered('options')]).toEqual([filters, settings]);
});

it('warns of a loop when updates start the workflow', () => {
	const warned = events.filter((event) =>
		properties.some(
			(field) => shownFor(event, field) && /to avoid a loop/i.test(field.displayName),
		),
	);
	expect(warned).toEqual([
		'contactCreatedOrUpdated',
		'contactUpdated',
		'ticketCreatedOrUpdated',
		'ticketUpdated',
	]);
});
