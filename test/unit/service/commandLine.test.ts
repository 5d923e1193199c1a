/** The service from the command line. */
import type { SimulatedService } from '../../service';
import { sentenceOf, startFromCommandLine } from '../../service/commandLine';
import { ask } from './client';

let service: SimulatedService | undefined;
afterEach(async () => await service?.close());

/** Starts the service, and returns what it prints or why it doesn't start. */
async function start(...options: string[]): Promise<string> {
	let printed = '';
	const started = startFromCommandLine(options, (text) => (printed += text));
	return await started.then(
		(one) => ((service = one), printed),
		(error: Error) => sentenceOf(error),
	);
}

it('prints Base URL and key, and says so when the port is in use', async () => {
	const printed = await start('--port', '0', '--contacts', '12', '--rate-limit', '1');
	expect(printed).toMatch(service!.baseUrl);
	expect(printed).toMatch(service!.apiKey);
	const contacts = 'GET /chatbots/support-bot/contacts';
	expect((await ask(service!, contacts)).body).toMatchObject({ total: 12 });
	expect((await ask(service!, contacts)).status).toBe(429);

	const { port } = new URL(service!.origin);
	expect(await start('--port', port)).toMatch(`Port ${port} is in use.`);
});

it.each([
	[['--contacts', 'many'], '--contacts takes a whole number, not "many".'],
	[['--port', '-1'], "'--port' argument is ambiguous"],
	[['--unknown'], "Unknown option '--unknown'"],
	[['--help'], '--rate-limit'],
])('says after %j: %s', async (options, sentence) => {
	service = undefined;
	expect(await start(...options)).toMatch(sentence);
	expect(service).toBeUndefined();
});
