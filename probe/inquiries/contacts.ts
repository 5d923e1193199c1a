/** What the contact list looks like, and how its pages behave. */
import { differs } from '../answer';
import type { ServiceResponse } from '../response';
import { contactListQuestions, contactQuestions, namesOf } from '../questions';
import type { Inquiry, Session } from '../session';
import { firstOf, objectOf, recordsOf, timeFormat, type JsonObject } from '../shapes';

/** Most contacts that a page may have. The contract's limit. */
const largestPage = 1000;

type AskForContacts = (query: Record<string, number>) => Promise<ServiceResponse>;

/** The page of a response, with NaN for an invalid number; undefined without contacts. */
function pageOf({ json }: ServiceResponse) {
	const { data, total, pages } = objectOf(json);
	const contacts = recordsOf(data);
	const { page, per_page, total_pages } = objectOf(pages);
	const [counted, number, perPage, totalPages] = [total, page, per_page, total_pages].map(
		(value) => (Number.isInteger(value) ? (value as number) : NaN),
	);
	return contacts && { contacts, total: counted, page: number, perPage, totalPages };
}

export const contactListInquiry: Inquiry = {
	title: 'The contact list',
	requests: 4,

	async run(session) {
		const { client, findings, paths } = session;
		const ask: AskForContacts = async (query) => await client.ask('GET', paths.contacts, { query });

		const first = await ask({ per_page: largestPage, page: 1 });
		const page = pageOf(first);
		if (!page) {
			const answer = first.isSuccess ? differs('no list in data') : first;
			return findings.leave(answer, ...namesOf({ ...contactListQuestions, ...contactQuestions }));
		}
		const { contacts, total, totalPages } = page;
		session.contacts = contacts;
		lookAtRecords(session, contacts);
		const isPaged = !Number.isNaN(total) && !Number.isNaN(totalPages);
		findings.set('contactList', isPaged ? 'documented' : 'withoutPages');

		const last =
			totalPages > 1 ? pageOf(await ask({ per_page: largestPage, page: totalPages })) : page;
		const counted = (Math.max(totalPages, 1) - 1) * largestPage + (last?.contacts.length ?? NaN);
		findings.set('contactTotal', counted === total ? 'counts' : 'wrong');

		await askForSizes(session, ask, total);
		const beyond = Math.max(totalPages || 1, 1) + 1;
		lookBeyondEnd(session, await ask({ per_page: largestPage, page: beyond }));
	},
};

function lookAtRecords({ findings }: Session, contacts: JsonObject[]): void {
	if (contacts.length === 0) {
		return findings.leave('there are no contacts', ...namesOf(contactQuestions));
	}
	const ids = contacts.map(({ id }) => id);
	const id = firstOf([
		['missing', ids.some((one) => typeof one !== 'string' && typeof one !== 'number')],
		['repeated', new Set(ids).size < ids.length],
		['string', ids.every((one) => typeof one === 'string')],
	]);
	findings.set('contactId', id ?? 'number');

	const external = contacts
		.map(({ external_id }) => external_id)
		.filter((one) => one != null && one !== '');
	const externalId = firstOf([
		['number', external.some((one) => typeof one !== 'string')],
		['repeated', new Set(external).size < external.length],
		['all', external.length === contacts.length],
	]);
	findings.set('externalIds', externalId ?? 'some');

	const format = timeFormat(contacts[0].created_at);
	const unit = format === 'other' ? undefined : format;
	findings.set('timestampUnit', unit, differs('in another way'));

	const payment = (['stripe_accounts', 'payment_accounts'] as const).find((field) =>
		contacts.some((contact) => field in contact),
	);
	findings.set('paymentField', payment, 'no contact with one');
}

async function askForSizes(
	{ findings }: Session,
	ask: AskForContacts,
	total: number,
): Promise<void> {
	const smallest = await ask({ per_page: 10, page: 1 });
	const length = pageOf(smallest)?.contacts.length;
	const answer = firstOf([
		['both', length === Math.min(10, total)],
		['fewer', length !== undefined],
	]);
	findings.set('perPageLimits', answer, smallest);
}

function lookBeyondEnd({ findings, contacts }: Session, response: ServiceResponse): void {
	const page = pageOf(response);
	// The last page of an empty list is empty as well: its number tells.
	const isLast = page && (page.contacts.length > 0 || (contacts.length === 0 && page.page === 1));
	const answer = firstOf([
		['badRequest', response.status === 400],
		['lastPage', isLast === true],
		['empty', isLast === false],
	]);
	findings.set('pageBeyondEnd', answer, response);
}
