/** Which text of the tables fits a failure. */
import { ownValue } from '../values/json';
import {
	codeTexts,
	type ErrorText,
	outcomeTexts,
	resourceCodeTexts,
	subjectTexts,
} from './errorTexts';
import type { FailureKind } from './failureKinds';
import { type ApiResource, takenIn, traitsOf } from './subjects';
import type { Topic } from './versions';

/** What a failed request was about, by its path and by what the service says. */
interface FailedRequest {
	method: string;
	resource: ApiResource;
	isAbout(topic: Topic): boolean;
	/** How the service names the failure. */
	code?: string;
}

export function textFor(outcome: FailureKind, request: FailedRequest): ErrorText {
	const { method, resource, code = '' } = request;
	const named =
		ownValue(resourceCodeTexts[resource] ?? {}, code) ??
		ownValue<ErrorText>(codeTexts, code);
	if (named) return named;

	if (outcome === '404') return textForMissing(request);
	// A request that reads or deletes has no contact data that could be wrong.
	if (outcome === '400' && ['DELETE', 'GET'].includes(method))
		return outcomeTexts[outcome];

	const texts = subjectTexts[outcome] ?? {};
	const { subject } = traitsOf[resource];
	const fitting = [...topicsOf(outcome, request), resource, subject].map(
		(about) => about && texts[about],
	);
	return fitting.find(Boolean) ?? outcomeTexts[outcome];
}

function topicsOf(
	outcome: FailureKind,
	{ resource, isAbout }: FailedRequest,
): Array<Topic | undefined> {
	if (outcome === '409') return [takenIn(resource, isAbout)];
	return (traitsOf[resource].topics ?? []).filter(isAbout);
}

/** A path that names a record can mean the record or its chatbot. */
function textForMissing({ resource, isAbout }: FailedRequest): ErrorText {
	const { missing } = traitsOf[resource];
	if (!missing) return outcomeTexts.wrongAddress;

	const texts = subjectTexts['404'] ?? {};
	const ofChatbot = outcomeTexts['404'];
	const either = texts[resource] ?? texts[missing] ?? ofChatbot;
	if (either.titleOfRecord === undefined) return either;
	if (isAbout('chatbot')) return ofChatbot;

	const named = (['contact', 'customAttribute'] as const).find(isAbout);
	if (!named) return either;
	const text = texts[named] ?? either;
	return { ...text, title: text.titleOfRecord ?? text.title };
}
