import { NodeOperationError } from 'n8n-workflow';

import { ApiClient } from '../api/client';
import { CredentialState, RunLimits } from '../api/limits';
import type { Credential } from '../api/settings';
import { credentialName, readCredential, readRequestOptions } from '../api/settings';
import type { InputItem, RunContext } from './item';

const defaultMaxConcurrency = 5;

/** Undefined if the option was not added. */
export type MaxConcurrencyReader = (item: InputItem) => number | undefined;

/** The settings are those of the first item, or of the first readable one if the workflow continues after errors. */
export async function openClients(
	context: RunContext,
	items: InputItem[],
	readMaxConcurrency?: MaxConcurrencyReader,
) {
	const { maxConcurrency, pace, http } = readFirstSettings(items, readMaxConcurrency);
	const signal = context.functions.getExecutionCancelSignal?.();
	const limits = new RunLimits(maxConcurrency, pace, signal);
	const availableSettings = { requestOptions: true, maxConcurrency: Boolean(readMaxConcurrency) };
	const settings = { http, availableSettings };
	const byCredential = new Map<string, ApiClient>();
	/** Items with equal credentials share a client. */
	const clientFor = (credential: Credential): ApiClient => {
		const key = JSON.stringify(credential);
		const known = byCredential.get(key);
		if (known) return known;
		const state = new CredentialState(credential, limits);
		const client = new ApiClient(context.node, context.functions, state, settings);
		byCredential.set(key, client);
		return client;
	};
	const credentialOf = async (itemIndex: number) =>
		readCredential(context.node, await context.functions.getCredentials(credentialName, itemIndex));
	const common = await commonCredential(context.items.length, credentialOf);
	const shared = common && clientFor(common);
	const clientOf = async (itemIndex: number) => shared ?? clientFor(await credentialOf(itemIndex));
	return { limits, clientOf };
}

function readFirstSettings(items: InputItem[], readMaxConcurrency?: MaxConcurrencyReader) {
	let failure: unknown;
	for (const item of items) {
		const { context, index } = item;
		try {
			const { pace, ...http } = readRequestOptions(context.node, item.collection('requestOptions'));
			return { maxConcurrency: readMaxConcurrency?.(item) ?? defaultMaxConcurrency, pace, http };
		} catch (error) {
			if (context.endsOnFailure) {
				throw new NodeOperationError(context.node, error as Error, { itemIndex: index });
			}
			failure ??= error;
		}
	}
	throw failure;
}

/**
 * The common credential of a long run, or undefined if it may differ. n8n decrypts it each time (n8n 2.41,
 * `CredentialsHelper.getDecrypted`: about half a millisecond). So only that of the first and the last item is read, and of
 * one that does not exist, for which an expression with `$json` fails.
 */
async function commonCredential(
	itemCount: number,
	credentialOf: (itemIndex: number) => Promise<Credential>,
): Promise<Credential | undefined> {
	if (itemCount <= 100) return undefined;
	try {
		const sample = await Promise.all([0, itemCount - 1, itemCount].map(credentialOf));
		return new Set(sample.map((credential) => JSON.stringify(credential))).size === 1
			? sample[0]
			: undefined;
	} catch {
		return undefined;
	}
}
