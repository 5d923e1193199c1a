import type { INodeProperties } from 'n8n-workflow';

import type { ShownFor } from '../../../fields/collections';

/** The mapper for the data of a contact. n8n 2.41 demands required fields in the mode `add` only. */
export function contactMapper(mode: 'add' | 'map', show: ShownFor): INodeProperties {
	return {
		displayName: 'Contact Fields',
		name: 'contactFields',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		description:
			'Data of the contact. Add a custom attribute from the list below the fields to set it.',
		typeOptions: {
			loadOptionsDependsOn: ['chatbotId.value'],
			resourceMapper: {
				resourceMapperMethod: 'mapContactFields',
				mode,
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				valuesLabel: 'Contact Fields',
				multiKeyMatch: false,
				supportAutoMap: true,
				hideNoDataError: true,
			},
		},
		displayOptions: { show },
	};
}
