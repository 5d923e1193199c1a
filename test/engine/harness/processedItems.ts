/* eslint-disable @n8n/community-nodes/no-restricted-imports */
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	IDataDeduplicator,
	IDeduplicationOutput,
	Workflow,
} from 'n8n-workflow';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

/** n8n's table of processed items: the value of each row as text, by its context. */
export class ProcessedItems {
	readonly rows = new Map<string, string>();

	/** Called before each access with its name. What it throws is an error of n8n's database. */
	beforeAccess: (name: keyof IDataDeduplicator) => void = () => {};
}

const tables = new WeakMap<object, ProcessedItems>();

/** Lets the nodes of a workflow use a table. */
export function giveTable(workflow: Workflow, table: ProcessedItems): void {
	tables.set(workflow, table);
}

/** Works as n8n 2.41's `DeduplicationHelper` does on its database. */
class Deduplicator implements IDataDeduplicator {
	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<IDeduplicationOutput> {
		const { rows, key } = await this.open('checkProcessedAndRecord', scope, context);
		const hashes = items.map(hashOf);
		const stored = read(rows, key);
		const known = new Set(stored);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		items.forEach((item, index) => {
			const hash = hashes[index]!;
			output[known.has(hash) ? 'processed' : 'new'].push(item);
			if (!known.has(hash)) stored.push(hash);
		});
		await write(rows, key, stored);
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const { rows, key } = await this.open('removeProcessed', scope, context);
		if (!rows.has(key)) return;
		const stored = read(rows, key);
		for (const hash of items.map(hashOf)) {
			const index = stored.indexOf(hash);
			if (index !== -1) stored.splice(index, 1);
		}
		await write(rows, key, stored);
	}

	async clearAllProcessedItems(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<void> {
		const { rows, key } = await this.open('clearAllProcessedItems', scope, context);
		rows.delete(key);
	}

	async getProcessedDataCount(
		scope: DeduplicationScope,
		context: ICheckProcessedContextData,
	): Promise<number> {
		const { rows, key } = await this.open('getProcessedDataCount', scope, context);
		return read(rows, key).length;
	}

	private async open(
		name: keyof IDataDeduplicator,
		scope: DeduplicationScope,
		{ workflow, node }: ICheckProcessedContextData,
	) {
		const table = tables.get(workflow);
		assert.ok(table);
		table.beforeAccess(name);
		await Promise.resolve();
		return { rows: table.rows, key: scope === 'node' ? `n:${node!.id}` : '' };
	}
}

function hashOf(item: DeduplicationItemTypes): string {
	return createHash('md5').update(item.toString()).digest('base64');
}

function read(rows: Map<string, string>, key: string): string[] {
	return JSON.parse(rows.get(key) ?? '[]') as string[];
}

/** Replaces the row, like n8n, with what was read before: of two at the same time, the later one wins. */
async function write(rows: Map<string, string>, key: string, hashes: string[]): Promise<void> {
	await Promise.resolve();
	rows.set(key, JSON.stringify(hashes));
}

void DataDeduplicationService.init(new Deduplicator());
