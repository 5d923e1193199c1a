/** A scratch text source and a scratch file: how version 2 creates, changes and deletes them. */
import { differs } from '../answer';
import { isOwnSource, isPlainId } from '../ownership';
import { namesOf, sourceQuestions } from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, isObject, objectOf } from '../shapes';
import { knowsAgent } from './agent';

const content = 'Scratch source of n8n-nodes-chatbase, safe to delete';

export const sourceInquiry: Inquiry = {
	title: 'Version 2: a scratch text source and a scratch file',
	requests: 2 + 2 + 1 + 2,

	async run(session) {
		if (!knowsAgent(session, ...namesOf(sourceQuestions))) return;
		const { client, findings, scratch, paths } = session;
		const name = scratch.newName();
		await sendFile(session, scratch.newName());
		const path = await createText(session, name);
		if (path === undefined) return;

		const update = await client.ask('PUT', path, { body: { name, content: `${content}.` } });
		findings.judge('v2SourceUpdate', update, { success: 'accepted', 409: 'refusedInTraining' });

		const deletion = await client.ask('DELETE', path);
		const query = { name, limit: 100 };
		const list = (await client.ask('GET', `${paths.agent}/sources`, { query })).page;
		const { status } = deletion.body;
		const state = firstOf([
			['stillListed', list?.rows.some(({ id }) => path.endsWith(`/${String(id)}`)) ?? false],
			['deleted', status === 'deleted'],
			['toBeDeleted', status === 'toBeDeleted'],
		]);
		findings.set('v2SourceDelete', deletion.isSuccess ? state : undefined, deletion);
	},
};

/** A service that accepts files of 50 bytes and more accepts this one. */
async function sendFile({ client, findings, paths }: Session, name: string): Promise<void> {
	const sources = `${paths.agent}/sources`;
	const response = await client.ask('POST', sources, { file: { name, content } });

	const isInData = isObject(response.body.data);
	const source = objectOf(isInData ? response.body.data : response.body);
	const isOwn = isOwnSource(source) && isPlainId(source.id);
	const answer = firstOf([
		['none', response.status === 404],
		['data', isOwn && isInData],
		['bare', isOwn],
	]);
	const open = response.isSuccess ? differs('the source does not come back') : response;
	findings.set('v2File', answer, open);
	if (!isOwn) return;

	client.made.add(`sources/${String(source.id)}`);
	await client.ask('DELETE', `${sources}/${String(source.id)}`);
}

/** @returns the path of the source; undefined if none was made, or none with the name of the probe came back */
async function createText(
	{ client, findings, paths }: Session,
	name: string,
): Promise<string | undefined> {
	const sources = `${paths.agent}/sources`;
	const add = async (sent: string) =>
		await client.ask('POST', sources, { body: { type: 'text', name: sent, content } });
	const spaced = await add(`${name} `);
	const response = spaced.status === 400 ? await add(name) : spaced;

	const source = response.body;
	if (!response.isSuccess || !isOwnSource(source) || !isPlainId(source.id)) {
		const answer = response.isSuccess ? differs('the source does not come back') : response;
		findings.leave(answer, ...namesOf(sourceQuestions));
		return undefined;
	}

	client.made.add(`sources/${source.id}`);
	const spelling = source.name === name ? 'trimmed' : 'asSent';
	findings.set('v2SourceNames', response === spaced ? spelling : 'refused');
	return `${sources}/${source.id}`;
}
