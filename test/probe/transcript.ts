/** What docs/contributors/probe.md shows: the probe asking the service of `npm run service`. */
import { runCommand } from '../../probe/command';
import { startFromCommandLine } from '../../service/commandLine';

/** As it is typed after `npm run probe --`. */
export const shownOptions = ['--chatbot', 'support-bot', '--write', '--make-attributes', '--chat'];

/** The whole output in the order of printing. */
export async function transcript(): Promise<string> {
	let seen = '';
	const print = (text: string) => (seen += text);
	const service = await startFromCommandLine(['--port', '0'], () => undefined);
	await runCommand({
		args: ['--base-url', service!.baseUrl, ...shownOptions],
		environment: { CHATBASE_API_KEY: service!.apiKey },
		print,
		report: print,
		onInterruption: () => undefined,
		exit: () => undefined,
		now: Date.now,
	});
	await service!.close();
	return seen;
}

/** A transcript with the first questions of each version only. */
function shortened(text: string): string {
	const questions = text.split('\n').filter((line) => /^\| (?!question|-)/.test(line));
	const [one, two] = [false, true].map((isTwo) =>
		questions.filter((line) => line.startsWith('| Version 2') === isTwo),
	);
	const shown = [one, two].map((lines) => lines.slice(0, 5).join('\n'));
	const rows = `${shown.join('\n| …\n')}\n| …\n`;
	return text.replace(`${questions.join('\n')}\n`, () => rows);
}

/** The document with a transcript in its one block of plain text. */
export function withTranscript(document: string, text: string): string {
	return document.replace(/(?<=```text\n).*?(?=```)/s, () => shortened(text));
}
