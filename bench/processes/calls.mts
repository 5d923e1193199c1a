/** Calls from the benchmark to the processes that it starts: the simulated service and n8n's engine. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

interface Call {
	number: number;
	name: string;
	argument: unknown;
}

type Answer = { number: number } & ({ value: unknown } | { problem: string });

/** The functions of a process: one argument, and JSON in both directions. */
export type Methods = Record<string, (argument: never) => unknown>;

/** Answers calls for as long as the caller lives. */
export function answerCalls(methods: Methods): void {
	const answer = async ({ number, name, argument }: Call): Promise<Answer> => {
		try {
			return { number, value: await methods[name](argument as never) };
		} catch (error) {
			return { number, problem: (error as Error).stack ?? String(error) };
		}
	};
	process.on('message', (call: Call) => {
		void answer(call).then((result) => process.send?.(result));
	});
	process.once('disconnect', () => process.exit());
	process.send?.('ready');
}

/** A process that answers calls. */
export class Remote<Offered extends Methods> {
	private calls = 0;
	private readonly open = new Map<number, (answer: Answer) => void>();

	private constructor(private readonly child: ChildProcess) {
		child.on('message', (answer: Answer) => this.open.get(answer.number)?.(answer));
		child.once('exit', (code) => {
			for (const [number, settle] of this.open) {
				settle({ number, problem: `The process has ended with ${code}` });
			}
		});
	}

	static async start<Offered extends Methods>(
		file: string,
		options: { execPath?: string; execArgv: string[]; env?: NodeJS.ProcessEnv },
	): Promise<Remote<Offered>> {
		const child = fork(file, [], { ...options, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
		const ended = once(child, 'exit').then(() => {
			throw new Error(`${file} has ended before it was ready`);
		});
		await Promise.race([once(child, 'message'), ended]);
		ended.catch(() => {});
		return new Remote(child);
	}

	async call<Name extends keyof Offered & string>(
		name: Name,
		argument: Parameters<Offered[Name]>[0],
	): Promise<Awaited<ReturnType<Offered[Name]>>> {
		const number = ++this.calls;
		const answer = await new Promise<Answer>((resolve) => {
			this.open.set(number, resolve);
			this.child.send({ number, name, argument } satisfies Call);
		});
		this.open.delete(number);
		if ('problem' in answer) throw new Error(answer.problem);
		return answer.value as Awaited<ReturnType<Offered[Name]>>;
	}

	async end(): Promise<void> {
		const ended = once(this.child, 'exit');
		this.child.disconnect();
		await ended;
	}
}
