/** A tool works when it is connected: in tools, and only there, texts that a model writes come filled with $fromAI. */
import { Chatbase } from '../../../nodes/Chatbase/Chatbase.node';

const { properties } = new Chatbase().description;
const filled = properties.filter(({ default: value }) => String(value).includes('$fromAI('));

it('are the texts that a model writes, and nothing that names or deletes a record', () => {
	const names = filled.flatMap(({ displayName, displayOptions }) =>
		(displayOptions!.show!.operation as string[]).map(
			(operation) => `${String(displayOptions!.show!.resource)} ${operation}: ${displayName}`,
		),
	);
	expect(names.sort()).toEqual([
		'chat send: Message',
		'chat sendToolResult: Output',
		'chat sendWithMemory: Message',
		'conversation search: Query',
		'source create: Answer',
		'source create: Content',
		'source create: Questions',
		'ticket create: Description',
		'ticket create: Subject',
		'ticket reply: Message',
		'ticket search: Query',
	]);
});

it.each(filled.map((field) => [field.displayName, field] as const))(
	'%s has another default in a workflow, and says in a tool what it is for',
	(_, { name, default: value, description, displayOptions }) => {
		expect(displayOptions?.show?.['@tool']).toEqual([true]);
		expect(value).toContain(`\`${description}\``);
		const { '@tool': inTool, ...shown } = displayOptions!.show!;
		expect(inTool).toEqual([true]);
		const other = properties.find(
			(field) =>
				field.name === name &&
				JSON.stringify(field.displayOptions?.show) ===
					JSON.stringify({ ...shown, '@tool': [false] }),
		);
		expect(String(other?.default)).not.toContain('$fromAI');
	},
);
