/** The built node in n8n's engine, with the simulated service as the one it talks to. */
import type { INodeParameters } from 'n8n-workflow';

import {
	illegalities,
	type RecordedRequest,
	startService,
	type ServiceOptions,
	type SimulatedService,
} from '../../service';
import { createEngine, type Engine, type RunOptions, type RunResult } from './harness';

export class Testbed {
	service!: SimulatedService;

	engine!: Engine;

	/**
	 * @param fixed parameters of every run: resource and operation
	 */
	constructor(readonly fixed: INodeParameters) {}

	async open(options?: ServiceOptions): Promise<void> {
		this.service = await startService(options);
		const { apiKey, baseUrl } = this.service;
		this.engine = await createEngine({ credentials: { chatbaseV1Api: { apiKey, baseUrl } } });
	}

	/** Runs the node with parameters beside the fixed ones. In a mirror, somebody has turned Dry Run off. */
	async run(parameters: INodeParameters, options: Partial<RunOptions> = {}): Promise<RunResult> {
		const chosen: INodeParameters = { ...this.fixed, ...parameters };
		const stored = chosen.operation === 'mirror' ? { dryRun: false, ...chosen } : chosen;
		return await this.engine.run({ ...options, parameters: stored });
	}

	/** The same, without an error, and with legal requests only. */
	async succeed(...run: Parameters<Testbed['run']>): Promise<RunResult> {
		const result = succeeded(await this.run(...run));
		expect(this.illegal).toEqual([]);
		return result;
	}

	/** Runs the node, and returns why it stops before any request. */
	async refusal(...run: Parameters<Testbed['run']>): Promise<string | undefined> {
		const { error } = await this.run(...run);
		expect(this.sent).toEqual([]);
		return error?.message;
	}

	/** Lets an agent call the node, and returns the records. */
	async callTool(parameters: INodeParameters, given: Record<string, string | number | boolean>) {
		const { text, error } = await this.engine.callTool({
			parameters: { ...this.fixed, ...parameters },
			arguments: given,
		});
		return { error, records: text === undefined ? undefined : (JSON.parse(text) as unknown) };
	}

	/** The requests to the service: method and path, with the body if there is one. */
	get sent(): unknown[][] {
		return this.service.requests.map(({ method, url, body }) => {
			const address = `${method} ${url.replace('/api/v1', '')}`;
			return body === undefined ? [address] : [address, body];
		});
	}

	/** The requests that can have changed something. */
	get writes(): RecordedRequest[] {
		return this.service.requests.filter(({ method }) => method !== 'GET');
	}

	/** What is invalid in the requests so far, by the contract. */
	get illegal(): string[] {
		return illegalities(this.service.requests);
	}

	/** Lets somebody else act once, before the service handles the first request with this method. */
	meanwhile(method: string, act: (request: RecordedRequest) => void): void {
		const stop = this.service.onRequest((request) => {
			if (request.method !== method) return;
			stop();
			act(request);
		});
	}

	/** Forgets requests, faults and chatbots, sets every switch as it was at the start, and adds a chatbot `bot`. */
	reset(): void {
		this.service.reset();
		this.service.store.addChatbot({ id: 'bot' });
	}

	async close(): Promise<void> {
		this.engine?.close();
		await this.service?.close();
	}
}

/** A testbed for all tests of a suite, reset before each. */
export function useTestbed(fixed: INodeParameters = {}, options?: ServiceOptions): Testbed {
	const testbed = new Testbed(fixed);
	beforeAll(async () => await testbed.open(options));
	beforeEach(() => testbed.reset());
	afterAll(async () => await testbed.close());
	return testbed;
}

/** The result of a run that has no error. */
export function succeeded<Result extends { error?: unknown }>(result: Result): Result {
	expect(result.error).toBeUndefined();
	return result;
}

/** A resource locator that holds an ID, or an expression for one. */
export function byId(value: string) {
	return { __rl: true, mode: 'id', value };
}

/** A resource locator that holds a name. */
export function byName(value: string) {
	return { __rl: true, mode: 'name', value };
}
