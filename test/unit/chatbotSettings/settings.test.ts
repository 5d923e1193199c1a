import fc from 'fast-check';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { NodeHelpers } from 'n8n-workflow';

import { chatbotSettingsUpdateFields } from '../../../nodes/Chatbase/resources/chatbotSettings/fields';
import {
	listSettings,
	nestSettings,
} from '../../../nodes/Chatbase/resources/chatbotSettings/paths';
import { settings } from '../../../nodes/Chatbase/resources/chatbotSettings/settings';
import { contract } from '../../service';

const fields = chatbotSettingsUpdateFields.flatMap(
	({ options }) => (options ?? []) as INodeProperties[],
);

describe('the settings', () => {
	it('are those of the contract', () => {
		const { styles, collectCustomerInformation, chatbotId, ...own } =
			contract.settingsUpdateRequest.shape;
		const { title, ...parts } = collectCustomerInformation.unwrap().shape;
		const paths = [
			...Object.keys(own),
			...Object.keys(styles.unwrap().shape).map((name) => `styles.${name}`),
			...Object.keys({ title }).map((name) => `collectCustomerInformation.${name}`),
			...Object.entries(parts).flatMap(([part, schema]) =>
				Object.keys(schema.unwrap().shape).map(
					(name) => `collectCustomerInformation.${part}.${name}`,
				),
			),
		];
		expect([...settings.keys()].sort()).toEqual(paths.sort());
		expect(chatbotId).toBeDefined();
	});

	it('are shown once each', () => {
		const offered = [...settings.values()].map(({ field }) => field);
		expect(fields.filter((field) => offered.includes(field))).toHaveLength(settings.size);
		expect(fields).toEqual(expect.arrayContaining(offered));
	});

	it('come back from their nested shape as they went in', () => {
		const entry = fc.tuple(fc.constantFrom(...settings.keys()), fc.jsonValue());
		fc.assert(
			fc.property(fc.uniqueArray(entry, { selector: ([path]) => path }), (entries) => {
				const listed = listSettings(nestSettings(entries));
				expect(new Map(listed)).toEqual(new Map(entries));
			}),
		);
	});

	it('come out of any JSON object without loss of a name', () => {
		fc.assert(
			fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (json) => {
				const listed = listSettings(json as IDataObject).map(([path]) => path.split('.')[0]);
				const groups = ['styles', 'collectCustomerInformation'];
				for (const name of Object.keys(json).filter((key) => !groups.includes(key))) {
					expect(listed).toContain(name.split('.')[0]);
				}
			}),
		);
	});
});

describe('the notice about domains', () => {
	const notice = chatbotSettingsUpdateFields.find(({ type }) => type === 'notice')!;

	it.each([
		[{}, false],
		[{ onlyAllowOnAddedDomains: false }, false],
		[{ onlyAllowOnAddedDomains: true }, true],
		[{ onlyAllowOnAddedDomains: true, domains: [] }, true],
		[{ onlyAllowOnAddedDomains: true, domains: ['example.com'] }, false],
	])('with %j: shown %s', (updateFields, isShown) => {
		const parameters = { resource: 'chatbotSettings', operation: 'update', updateFields };
		expect(NodeHelpers.displayParameter(parameters, notice, null, null)).toBe(isShown);
	});
});
