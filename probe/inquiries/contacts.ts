/** What the contact list looks like, and how its pages behave. */
import { differs, notFoundOut } from '../answer';
import type { ServiceResponse } from '../client';
import type { Inquiry, Session } from '../session';
import {
	direction,
	isMissing,
	isObject,
	isSuccess,
	momentOf,
	objectOf,
	recordsOf,
	timeFormat,
	unexpected,
	type JsonObject,
} from '../shapes';

/** Most contacts that a page may have. The contract's limit. */
const largestPage = 1000;

const textFields = ['name', 'email', 'phonenumber'];

interface Page {
	contacts: JsonObject[];
	total: number;
	page: number;
	perPage: number;
	totalPages: number;
}

/** The page of a response, with NaN for an invalid number; undefined without contacts. */
function pageOf({ json }: ServiceResponse): Page | undefined {
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
	requests: 10,

	async run(session) {
		const { client, findings, paths } = session;
		const ask = async (query: Record<string, number>) =>
			await client.ask('GET', paths.contacts, { query });

		const first = await ask({ per_page: largestPage, page: 1 });
		const page = pageOf(first);
		if (!page) {
			return findings.setOther(
				isSuccess(first) ? differs('no list in data') : unexpected(first),
				'contactList',
				'contactTotal',
				'contactId',
				'externalIds',
				'timestampUnit',
				'missingFields',
				'paymentField',
				'contactOrder',
				'emptyListPages',
				'defaultPerPage',
				'perPageLimits',
				'perPageOutOfRange',
				'pageBeyondEnd',
				'contactPathId',
				'issues',
			);
		}
		session.contacts = page.contacts;
		lookAtRecords(session, page.contacts);
		lookAtEmptyList(session, page);
		const isPaged = !Number.isNaN(page.total) && !Number.isNaN(page.totalPages);
		findings.set('contactList', isPaged ? 'documented' : 'withoutPages');

		const last =
			page.totalPages > 1
				? pageOf(await ask({ per_page: largestPage, page: page.totalPages }))
				: page;
		const counted =
			(Math.max(page.totalPages, 1) - 1) * largestPage + (last?.contacts.length ?? NaN);
		findings.set('contactTotal', counted === page.total ? 'counts' : 'wrong');

		await askForSizes(session, ask, page.total);
		await askBeyondEnd(
			session,
			await ask({ per_page: largestPage, page: Math.max(page.totalPages || 1, 1) + 1 }),
		);
		await askForIssues(session, await ask({ page: 0 }));
		await askByInternalId(session);
	},
};

function lookAtRecords({ findings }: Session, contacts: JsonObject[]): void {
	const none = notFoundOut('there are no contacts');
	if (contacts.length === 0) {
		return findings.setOther(
			none,
			'contactId',
			'externalIds',
			'timestampUnit',
			'missingFields',
			'paymentField',
			'contactOrder',
		);
	}
	const ids = contacts.map(({ id }) => id);
	if (ids.some((id) => typeof id !== 'string' && typeof id !== 'number'))
		findings.set('contactId', 'missing');
	else if (new Set(ids).size < ids.length) findings.set('contactId', 'repeated');
	else findings.set('contactId', ids.every((id) => typeof id === 'string') ? 'string' : 'number');

	const external = contacts
		.map(({ external_id }) => external_id)
		.filter((id) => id != null && id !== '');
	if (external.some((id) => typeof id !== 'string')) findings.set('externalIds', 'number');
	else if (new Set(external).size < external.length) findings.set('externalIds', 'repeated');
	else findings.set('externalIds', external.length === contacts.length ? 'all' : 'some');

	const format = timeFormat(contacts[0].created_at);
	if (format === 'other') findings.setOther(differs('in another way'), 'timestampUnit');
	else findings.set('timestampUnit', format);

	const values = contacts.flatMap((contact) => textFields.map((field) => contact[field]));
	if (values.includes(null)) findings.set('missingFields', 'null');
	else if (values.includes(undefined)) findings.set('missingFields', 'absent');
	else if (values.includes('')) findings.set('missingFields', 'empty');
	findings.setOther(notFoundOut('every field has a value'), 'missingFields');

	for (const field of ['payment_accounts', 'stripe_accounts'] as const) {
		if (contacts.some((contact) => field in contact)) findings.set('paymentField', field);
	}
	findings.setOther(notFoundOut('no contact with one'), 'paymentField');

	const way = direction(contacts.map(({ created_at }) => momentOf(created_at)));
	if (way === 'rising') findings.set('contactOrder', 'oldestFirst');
	else if (way === 'falling') findings.set('contactOrder', 'newestFirst');
	else if (way === 'neither') findings.set('contactOrder', 'other');
	findings.setOther(notFoundOut('too few contacts'), 'contactOrder');
}

function lookAtEmptyList({ findings }: Session, { total, totalPages }: Page): void {
	if (total !== 0) return findings.setOther(notFoundOut('the list is not empty'), 'emptyListPages');
	findings.set('emptyListPages', totalPages === 0 || totalPages === 1 ? totalPages : 'other');
}

async function askForSizes(
	{ findings }: Session,
	ask: (query: Record<string, number>) => Promise<ServiceResponse>,
	total: number,
): Promise<void> {
	const standard = await ask({});
	const size = pageOf(standard)?.perPage;
	if (size === 100) findings.set('defaultPerPage', 100);
	else if (size !== undefined && !Number.isNaN(size)) findings.set('defaultPerPage', 'other', size);
	else findings.setOther(unexpected(standard), 'defaultPerPage');

	const smallest = await ask({ per_page: 10, page: 1 });
	const length = pageOf(smallest)?.contacts.length;
	if (length === undefined) findings.setOther(unexpected(smallest), 'perPageLimits');
	else findings.set('perPageLimits', length === Math.min(10, total) ? 'both' : 'fewer');

	const outside = [await ask({ per_page: 9 }), await ask({ per_page: largestPage + 1 })];
	const sizes = outside.map((response) => pageOf(response)?.perPage);
	if (outside.every(({ status }) => status === 400))
		findings.set('perPageOutOfRange', 'badRequest');
	else if (sizes[0] === 10 && sizes[1] === largestPage) findings.set('perPageOutOfRange', 'clamp');
	else if (outside.every((response) => response.status === 400 || isSuccess(response))) {
		findings.set('perPageOutOfRange', 'other');
	}
	findings.setOther(unexpected(outside[0]), 'perPageOutOfRange');
}

async function askBeyondEnd(
	{ findings, contacts }: Session,
	response: ServiceResponse,
): Promise<void> {
	const page = pageOf(response);
	if (response.status === 400) findings.set('pageBeyondEnd', 'badRequest');
	else if (page && page.contacts.length > 0) {
		findings.set('pageBeyondEnd', 'lastPage');
	} else if (page) {
		// The last page of an empty list is empty as well: its number tells.
		const isLast = contacts.length === 0 && page.page === 1;
		findings.set('pageBeyondEnd', isLast ? 'lastPage' : 'empty');
	} else findings.setOther(unexpected(response), 'pageBeyondEnd');
}

async function askForIssues(
	{ client, findings, chatbotId }: Session,
	contacts: ServiceResponse,
): Promise<void> {
	const conversations = await client.ask('GET', '/get-conversations', {
		query: { chatbotId, page: 0 },
	});
	if (isMissing(conversations)) {
		return findings.setOther(notFoundOut('there are no conversations to compare with'), 'issues');
	}
	for (const response of [contacts, conversations]) {
		if (response.status !== 400) return findings.setOther(unexpected(response), 'issues');
	}
	const [inContacts, elsewhere] = [contacts, conversations].map(({ json }) => {
		const { issues } = objectOf(json);
		return Array.isArray(issues) && issues.some(isObject);
	});
	if (inContacts) findings.set('issues', elsewhere ? 'everywhere' : 'contactsFamily');
	else findings.set('issues', elsewhere ? 'elsewhere' : 'never');
}

async function askByInternalId({ client, findings, paths, contacts }: Session): Promise<void> {
	const contact = contacts.find(
		({ id, external_id }) => /^[\w-]+$/.test(String(id ?? '')) && String(id) !== external_id,
	);
	if (!contact) return findings.setOther(notFoundOut('no contact to read'), 'contactPathId');
	const response = await client.ask('GET', `${paths.contacts}/${String(contact.id)}`);
	if (isMissing(response)) findings.set('contactPathId', 'external');
	else if (isSuccess(response)) {
		const isSame = objectOf(objectOf(response.json).data).id === contact.id;
		if (isSame) findings.set('contactPathId', 'externalOrInternal');
		findings.setOther(notFoundOut('another contact was found'), 'contactPathId');
	} else findings.setOther(unexpected(response), 'contactPathId');
}
