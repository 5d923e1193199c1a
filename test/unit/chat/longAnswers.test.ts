/** A service, or a stranger between it and n8n, can send a long answer in tiny pieces. n8n must not stand still meanwhile. */
import { TextStream } from '../../../nodes/Chatbase/resources/chat/textStream';
import { MessageStream } from '../../../nodes/Chatbase/resources/chat/messageStream';
import { longText as size, processorTime } from '../../propertyRuns';
import { streamOf } from './bodies';

const pieceSize = 16;
const events = 'text/event-stream';

const pieces = (text: string) => {
	const bytes = Buffer.from(text);
	const count = Math.ceil(bytes.length / pieceSize);
	return Array.from({ length: count }, (_, index) =>
		bytes.subarray(index * pieceSize, (index + 1) * pieceSize),
	);
};
const toolEvent = (id: number) =>
	`data: {"type":"tool-input-start","toolCallId":"${id}","toolName":"a"}\n\n`;

it.each([
	['blanks', ' '.repeat(size)],
	['line breaks', '\n'.repeat(size)],
	['a JSON object without an end', `{"a":"${':'.repeat(size)}`],
	['a line of data without an end', `data: ${' '.repeat(size)}`],
	['carriage returns in pairs', `data: a${'\r\r'.repeat(size / 2)}`],
	['comments', ': \n'.repeat(size / 3)],
	['a word without an end', 'd'.repeat(size)],
	['a field without an end', `event${'t'.repeat(size)}`],
	['lines of data of one event', 'data:\n'.repeat(size / 6)],
	['calls of tools', Array.from({ length: size / 60 }, (_, index) => toolEvent(index)).join('')],
])(
	'reads a long answer of %s in a moment',
	async (_, text) => {
		const chunks = pieces(text);
		const took = await processorTime(async () => {
			for (const answer of [new MessageStream(), new TextStream()]) {
				await Promise.allSettled([answer.read(streamOf(chunks).stream, events)]);
			}
		});
		// Looking at all that has arrived after each piece would take minutes.
		expect(took).toBeLessThan(10);
	},
	60_000,
);
