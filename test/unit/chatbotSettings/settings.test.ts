import type { INodeProperties } from 'n8n-workflow';

import { resources } from '../../../nodes/Chatbase/resources';
import {
	leadFormSettings,
	mainSettings,
	styleSettings,
} from '../../../nodes/Chatbase/resources/chatbotSettings/update';
import { contract } from '../../../service';

const settings = [...mainSettings, ...styleSettings, ...leadFormSettings];
const { properties } = resources.find(({ option }) => option.value === 'chatbotSettings')!;
const fields = properties.flatMap(({ options }) => (options ?? []) as INodeProperties[]);

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
		expect(settings.map(({ path }) => path).sort()).toEqual(paths.sort());
		expect(chatbotId).toBeDefined();
	});

	it('are shown once each', () => {
		const offered = settings.map(({ property }) => property);
		expect(fields.filter((field) => offered.includes(field))).toHaveLength(settings.length);
		expect(fields).toEqual(expect.arrayContaining(offered));
	});
});
