/** What the simulated chatbot of the demo answers from what it was taught. */
import { answerFromSources } from '../../../service';
import { ask, form, useService } from './client';

const bed = useService();

async function teach(source: object): Promise<string> {
	const { body } = await ask(bed.service, 'POST /agents/bot/sources', source);
	return body.id as string;
}

const answerTo = (question: string) =>
	answerFromSources(question, bed.service.store.chatbot('bot').agent.sources);

it('answers with the paragraph of a text that shares the most words', async () => {
	const content = 'We open at nine.\n\nA parcel to Norway takes five days.\n\nParcels are free.';
	await teach({ type: 'text', name: 'Help', content });
	expect(answerTo('When does my parcel to Norway arrive?')?.text).toBe(
		'A parcel to Norway takes five days.',
	);
	expect(answerTo('OPEN?')?.text).toBe('We open at nine.');
});

it('answers with the answer of a Q&A, if its questions or its answer share words', async () => {
	await teach({
		type: 'qna',
		name: 'Moon',
		questions: ['Do you ship to the Moon?', 'Is there lunar delivery?'],
		answer: 'No, only on Earth.',
	});
	expect(answerTo('Do you ship to the Moon?')).toEqual({ text: 'No, only on Earth.', score: 1 });
	expect(answerTo('lunar')?.text).toBe('No, only on Earth.');
	expect(answerTo('Earth')?.text).toBe('No, only on Earth.');
});

it('knows a text that was just sent, before an older one that shares as many words', async () => {
	await teach({ type: 'text', name: 'Old', content: 'Returns: 14 days.' });
	await teach({ type: 'text', name: 'New', content: 'Returns: 30 days.' });
	expect(answerTo('What about returns?')?.text).toBe('Returns: 30 days.');
});

it('knows a changed text, and no deleted one', async () => {
	const id = await teach({ type: 'text', name: 'A', content: 'Returns: 14 days.' });
	await ask(bed.service, `PUT /agents/bot/sources/${id}`, { content: 'Returns: 30 days.' });
	expect(answerTo('returns')?.text).toBe('Returns: 30 days.');
	await ask(bed.service, `DELETE /agents/bot/sources/${id}`);
	expect(answerTo('returns')).toBeUndefined();
});

it('scores an answer by how many words of the question it has', async () => {
	await teach({ type: 'text', name: 'A', content: 'Parcels go to Norway.' });
	expect(answerTo('Norway or Sweden?')?.score).toBe(0.5);
});

it.each(['Do you?', 'Where is that?', '', 'Sweden'])(
	'knows no answer to "%s"',
	async (question) => {
		await teach({ type: 'text', name: 'A', content: 'Where do you ship that? To Norway.' });
		expect(answerTo(question)).toBeUndefined();
	},
);

it('knows nothing of a text that could not be learned', async () => {
	bed.service.store.addSource('bot', { status: 'failed', taught: { content: 'Norway' } });
	expect(answerTo('Norway')).toBeUndefined();
});

it('answers from a text file, as after Knowledge from a folder', async () => {
	const file = new File(['A parcel to Norway takes nine days.'], 'Delivery.txt');
	const sent = form({ name: 'Folder: Delivery.txt', file });
	await ask(bed.service, 'POST /agents/bot/sources', sent);
	expect(answerTo('Norway')?.text).toBe('A parcel to Norway takes nine days.');
});
