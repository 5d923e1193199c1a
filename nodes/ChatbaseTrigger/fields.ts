import type { INodeProperties } from 'n8n-workflow';

import { filtersField, notice, optionsField } from '../Chatbase/fields/define';
import { optionalField } from '../Chatbase/fields/field';
import { attributeLocator, chatbotField } from '../Chatbase/fields/locators';
import { pageSizeOption } from '../Chatbase/fields/paging';
import { text } from '../Chatbase/fields/values';
import { maxPageSize, minPageSize } from '../Chatbase/resources/contact/list';
import { sourceFields } from '../Chatbase/resources/conversation/filters';
import { events, type TriggerEvent } from './events';
import { contactList } from './lists';

const shownFor = (has: (event: TriggerEvent) => unknown): INodeProperties['displayOptions'] => ({
	show: { '/event': events.filter(has).map(({ value }) => value) },
});

const equalsField = optionalField('value', 'Equals', text, {
	placeholder: 'e.g. pro',
	description:
		'Value of the attribute, such as pro, 5 or true. Leave it empty to find contacts without a value.',
});

export const fields: INodeProperties[] = [
	{
		displayName: 'Trigger On',
		name: 'event',
		type: 'options',
		noDataExpression: true,
		default: 'contactCreated',
		options: events.map(({ name, value, description }) => ({ name, value, description })),
	},
	chatbotField.property,
	...events.flatMap(({ value, notice: words }) =>
		words ? [notice(`${value}Notice`, words, { show: { event: [value] } })] : [],
	),
	{
		...filtersField(
			[
				{
					displayName: 'Custom Attributes',
					name: 'customAttributes',
					type: 'fixedCollection',
					typeOptions: { multipleValues: true },
					placeholder: 'Add Condition',
					default: {},
					description: 'Only contacts that have all of these values',
					displayOptions: shownFor(({ filters }) => filters?.includes('customAttributes')),
					options: [
						{
							displayName: 'Condition',
							name: 'conditions',
							values: [
								{
									displayName: 'Attribute',
									name: 'attribute',
									description: 'The custom attribute to compare',
									...attributeLocator(),
								},
								equalsField.property,
							],
						},
					],
				},
				{
					displayName: 'Has Email',
					name: 'hasEmail',
					type: 'options',
					default: true,
					description: 'Only records with, or only records without, an email address',
					options: [
						{ name: 'With an Email Address', value: true },
						{ name: 'Without an Email Address', value: false },
					],
					displayOptions: shownFor(({ filters }) => filters?.includes('hasEmail')),
				},
				...sourceFields.map(({ property }) => ({
					...property,
					displayOptions: shownFor(({ filters }) => filters?.includes('sources')),
				})),
			],
			'The workflow starts only for records that match these filters when the trigger finds them',
		),
		displayOptions: shownFor(({ filters }) => filters),
	},
	optionsField([
		{
			...pageSizeOption('Contacts', minPageSize, maxPageSize, 'Lower it if requests time out')
				.property,
			displayOptions: shownFor(({ list }) => list === contactList),
		},
		optionalField('options.since', 'Report Changes Since', text, {
			type: 'dateTime',
			placeholder: 'e.g. 2026-07-01T08:30:00',
			description:
				'Also report changes made since this time. Without it, only changes after activation start the workflow.',
		}),
	]),
];
