/** The service from the command line. */
import { startService, type SimulatedService } from '../../service';
import { sentenceOf, startFromCommandLine } from '../../service/commandLine';

let service: SimulatedService | undefined;
afterEach(async () => await service?.close());

/** Starts the service and gathers what it prints. */
async function start(...options: string[]) {
	let printed = '';
	service = await startFromCommandLine(options, (text) => (printed += text));
	return printed;
}

it('prints Base URL and key, and accepts them', async () => {
	const printed = await start('--port', '0', '--contacts', '12', '--rate-limit', '1');
	const baseUrl = /Base URL +(\S+)/.exec(printed)![1];
	const key = /API Key +(\S+)/.exec(printed)![1];
	const list = async () =>
		await fetch(`${baseUrl}/chatbots/support-bot/contacts`, {
			headers: { authorization: `Bearer ${key}` },
		});
	expect(await (await list()).json()).toMatchObject({ total: 12 });
	expect((await list()).status).toBe(429);
	expect([...service!.store.chatbots.keys()]).toEqual(['support-bot', 'sales-bot']);
});

it('says so when the port is in use', async () => {
	service = await startService();
	const { port } = new URL(service.origin);
	const error = await start('--port', port).catch((reason: Error) => reason);
	expect(sentenceOf(error as Error)).toMatch(`Port ${port} is in use.`);
});

it.each([
	[['--contacts', 'many'], '--contacts takes a whole number, not "many".'],
	[['--port', '-1'], "'--port' argument is ambiguous"],
	[['--unknown'], "Unknown option '--unknown'"],
])('refuses %j', async (options, sentence) => {
	const error = await start(...options).catch((reason: Error) => reason);
	expect(sentenceOf(error as Error)).toMatch(sentence);
});

it('explains its options and starts nothing', async () => {
	const printed = await start('--help');
	expect(service).toBeUndefined();
	expect(printed).toMatch('--rate-limit');
});
