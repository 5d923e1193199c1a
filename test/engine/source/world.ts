/** What the suites about sources share: a chatbot, and a node that n8n remembers. */
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { BehaviourV2 } from '../../../service';
import { type InputItem, ProcessedItems, type RunOptions } from '../harness';
import { byId, succeeded, type Testbed, useTestbed } from '../testbed';

/** Maps the columns of an item to the parameters of Mirror. */
export const mirrorColumns = {
	sourceType: '={{ $json.type }}',
	name: '={{ $json.name }}',
	content: '={{ $json.content }}',
	questions: 'Why?',
	answer: '={{ $json.content }}',
	namePrefix: 'Docs: ',
};

export const chatbotId = byId('bot');

export class World {
	/** What n8n has stored of the node between its runs. */
	memory: IDataObject = {};
	processed = new ProcessedItems();

	constructor(readonly testbed: Testbed) {}

	reset(): void {
		this.testbed.reset();
		this.memory = {};
		this.processed = new ProcessedItems();
	}

	switchTo(behaviour: Partial<BehaviourV2>): void {
		Object.assign(this.testbed.service.behaviourV2, behaviour);
	}

	/** A production run, after which the requests of earlier runs are forgotten. */
	async run(
		parameters: INodeParameters,
		input: InputItem[] = [{}],
		options: Partial<RunOptions> = {},
	) {
		this.testbed.service.clearRequests();
		const { memory, processed } = this;
		return await this.testbed.run(parameters, {
			mode: 'trigger',
			memory,
			processed,
			input,
			...options,
		});
	}

	/** The same, without an error. */
	async succeed(...run: Parameters<World['run']>) {
		return succeeded(await this.run(...run));
	}

	/** Method and last part of the path of each request. */
	get steps(): string[] {
		return this.testbed.service.requests.map(
			({ method, path }) => `${method} ${path.split('/').at(-1)}`,
		);
	}

	get writes(): string[] {
		return this.steps.filter((step) => !step.startsWith('GET'));
	}

	add(fields: Parameters<Testbed['service']['store']['addSource']>[1]) {
		return this.testbed.service.store.addSource('bot', fields);
	}

	/** The sources of the chatbot that are still there. */
	get sources() {
		return this.testbed.service.store.chatbot('bot').agent.sources.filter(({ isGone }) => !isGone);
	}

	source(name: string) {
		return this.sources.find((source) => source.name === name)!;
	}
}

/** An input item with a file in the field `data`. */
export function itemWithFile(fileName: string, content: string | Buffer, json: IDataObject = {}) {
	const mimeType = fileName.endsWith('.txt') ? 'text/plain' : 'application/octet-stream';
	return withFile({ fileName, mimeType }, content, json);
}

export function withFile(
	file: { fileName?: string; fileExtension?: string; mimeType: string },
	content: string | Buffer,
	json: IDataObject = {},
): INodeExecutionData {
	const data = Buffer.from(content).toString('base64');
	return { json, binary: { data: { ...file, data } } };
}

/** A chatbot for all tests of a suite, reset before each. */
export function useWorld(operation: string): World {
	const world = new World(useTestbed({ resource: 'source', operation, chatbotId }));
	beforeEach(() => world.reset());
	return world;
}

/** The action or the title of the error of each item. */
export function outcomes(items: INodeExecutionData[]): unknown[] {
	return items.map(({ json }) =>
		json.error === undefined
			? ((json._sync as IDataObject | undefined)?.action ?? json.status)
			: String(json.error).split('. ')[0],
	);
}

export const goOn = { nodeSettings: { onError: 'continueRegularOutput' as const } };
