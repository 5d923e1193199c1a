import { config } from '@n8n/node-cli/eslint';

// n8n's strict mode allows no change of eslint.config.mjs, so the rules of this project stand here. `npm run lint` runs both.
const { parser } = config.find((part) => part.languageOptions?.parser).languageOptions;
const typescript = config.find((part) => part.plugins?.['@typescript-eslint']).plugins[
	'@typescript-eslint'
];

export default [
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts'],
		languageOptions: { parser },
		plugins: { '@typescript-eslint': typescript },
		rules: {
			'@typescript-eslint/explicit-module-boundary-types': 'error',
			complexity: ['error', 15],
			'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
			'max-params': ['error', 4],
		},
	},
];
