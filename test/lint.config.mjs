import { config } from '@n8n/node-cli/eslint';

// `n8n-node lint` takes no config but n8n's own, which leaves .mts files out. Here its rules apply to them.
export default [
	...config.map((part) =>
		part.files?.includes('**/*.ts') ? { ...part, files: ['**/*.mts'] } : part,
	),
	{
		rules: {
			// These programs run on a developer's machine, never in n8n: they read files, start others, and print.
			'@n8n/community-nodes/no-dangerous-functions': 'off',
			'@n8n/community-nodes/no-restricted-globals': 'off',
			'@n8n/community-nodes/no-restricted-imports': 'off',
			'no-console': 'off',
			// TypeScript resolves imports, also by the `exports` of packages, which this rule can't.
			'import-x/no-unresolved': 'off',
		},
	},
];
