import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../api/client';
import { type Failure, failureOf } from '../../api/failure';
import { createdRecord } from '../../api/unknownOutcome';
import type { InputItem } from '../../execution/item';
import { optionsField } from '../../panel/collections';
import { notice, shownInTool, toolNotice } from '../../panel/notices';
import { optionalField } from '../../panel/field';
import { operation } from '../../panel/operation';
import { firstOf } from '../../values/list';
import { readSources } from '../source/sources';
import { awaitTraining, waitOption } from '../source/training';
import { chatbotField } from '../../chatbots/chatbots';
import { agentName } from './chatbotFields';
import { confirmedAgent, pendingStepsOf } from './confirmedChange';
import { bodyIf } from '../../api/response';

const newName = optionalField('options.name', 'New Name', agentName, {
	description:
		'Name of the clone in the dashboard, 1 to 100 characters. Without it, Chatbase names the clone.',
	placeholder: 'e.g. Support Bot',
});

export const clone = operation({
	value: 'clone',
	description: 'Make a copy of a chatbot and its sources. May need a higher plan.',
	request: { method: 'POST', path: '/agents/{chatbotId}/clone', resource: 'agent' },
	fields: [
		toolNotice(
			'Each call makes a copy of the chatbot, up to the limit of your plan. Describe under Tool Description when to use it, or add a human review step.',
		),
		chatbotField,
		notice(
			'cloneNotice',
			'Each item makes another chatbot, which counts towards your plan.',
			shownInTool(false).displayOptions,
		),
		optionsField([newName, waitOption]),
	],

	nothingDone: 'No clone was made.',

	neverTwice: 'make the clones of all items again',

	read: (item) => ({
		chatbotId: chatbotField.read(item),
		name: newName.read(item),
		wait: waitOption.read(item),
	}),

	// Clones are made one after the other, so that none is made after a failure.
	sequenceKeys: () => ['clones'],

	/** The IDs of the clones of the run. */
	begin: (): string[] => [],

	async send({ item, params, api }, made) {
		const others = [...made];
		try {
			return [await makeClone(item, api, { ...params, made })];
		} catch (error) {
			throw withOthers(failureOf(error), others, item.context.endsOnFailure);
		}
	},
});

/** If the run ends, its error names all clones, since there is no output then. Otherwise they are in the output. */
function withOthers(failure: Failure, others: string[], endsRun: boolean): Failure {
	if (others.length === 0) return failure;

	const named = endsRun ? others.join(', ') : firstOf(others);
	return failure.and(`Other clones of this run: ${named}.`);
}

interface WantedClone {
	chatbotId: string;
	name?: string;
	/** How many milliseconds to wait for the training, at most. */
	wait: number;
	/** The IDs of all clones of the run. The ID of the new clone is added. */
	made: string[];
}

async function makeClone(
	item: InputItem,
	api: ApiClient,
	{ chatbotId, name, wait, made }: WantedClone,
): Promise<IDataObject> {
	const created = await sendClone(item, api, chatbotId);
	const clone = String(created.id);
	made.push(clone);

	const pendingSteps = pendingStepsOf(item, created);

	try {
		if (name !== undefined) await rename(item, api, { clone, name });
		if (wait > 0) await awaitAllSources(item, api, { clone, wait });
	} catch (error) {
		const exists = `The clone exists: its ID is ${clone}. Another run makes another clone.`;
		throw failureOf(error).with({ written: 'yes' }).and(exists);
	}

	const record = {
		chatbotId: clone,
		name: name ?? (await readCloneName(item, api, clone)),
	};
	return { ...record, clonedFrom: chatbotId, pendingSteps };
}

/** Returns what the service says about the clone. The most important part is its ID. */
async function sendClone(
	item: InputItem,
	api: ApiClient,
	chatbotId: string,
): Promise<IDataObject> {
	const response = await api.send({
		...item.request,
		params: { chatbotId },
		timeout: 300_000,
	});

	return createdRecord(api, response, {
		find: bodyIf(({ id }) => Boolean(id)),
		mayExist: 'A clone may exist. Look at the list of chatbots before you run again.',
	});
}

/** Uses version 2, since version 1 may not know the new clone yet. */
async function rename(
	item: InputItem,
	api: ApiClient,
	{ clone, name }: { clone: string; name: string },
) {
	const response = await api.send({
		...agentOf(item, clone),
		method: 'PUT',
		body: { name },
	});
	api.expectBody(response, confirmedAgent);
}

/** Null if the name can't be read. That is no failure, since the clone exists. */
async function readCloneName(
	item: InputItem,
	api: ApiClient,
	clone: string,
): Promise<string | null> {
	try {
		const response = await api.send({ ...agentOf(item, clone), method: 'GET' });
		return api.expectBody(response, ({ name }) =>
			typeof name === 'string' ? name : undefined,
		);
	} catch {
		return null;
	}
}

function agentOf({ request }: InputItem, clone: string) {
	return { ...request, path: '/agents/{chatbotId}', params: { chatbotId: clone } };
}

async function awaitAllSources(
	item: InputItem,
	api: ApiClient,
	{ clone, wait }: { clone: string; wait: number },
) {
	const advice = 'Look at the sources of the clone in the dashboard.';
	const sources = await readSources(item, api, { chatbotId: clone, advice });
	const failures: unknown[] = [];
	const fail = (error: unknown) => failures.push(error);
	const isWritten = true;
	const written = sources.map((source) => ({
		...{ source, item, wait, isWritten, fail },
		succeed() {},
	}));

	await awaitTraining({ api, chatbotId: clone }, written);
	if (failures.length > 0) throw failures[0];
}
