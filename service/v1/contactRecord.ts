/** How the API returns a contact: the store has the contract's names, the service may use others. */
import { z } from 'zod';

import { typedAttributes } from './attributeValues';
import type { Behaviour } from './behaviour';
import type { AttributeValue, Contact, PaymentAccount } from '../core/contactBook';
import { contactFields, contactFieldsWithStripe } from './contract';
import { e164Of } from '../core/phone';
import { badRequest, type Issue } from '../core/refusal';
import type { Chatbot } from '../core/store';

/** The validated fields of a write. An absent field was not sent. */
export interface ContactChanges extends Partial<
	Pick<Contact, 'external_id' | 'name' | 'email' | 'phonenumber' | 'payment_accounts'>
> {
	/** Null for an attribute to clear; null in place of the map clears all. */
	custom_attributes?: Record<string, AttributeValue> | null;
}

type SentFields = z.output<typeof contactFields> & z.output<typeof contactFieldsWithStripe>;

/** Unknown fields are dropped, as the guides say. Each schema is built once: zod compiles an object the first time that it is used. */
const schemas = {
	payment_accounts: contactFields.strip(),
	stripe_accounts: contactFieldsWithStripe.strip(),
};

/** The schema of the fields in a write, by the switches. */
export function contactFieldsSchema(
	behaviour: Behaviour,
): (typeof schemas)[Behaviour['paymentField']] {
	return schemas[behaviour.paymentField];
}

interface Receiver {
	chatbot: Chatbot;
	behaviour: Behaviour;
	/** Put before a field's name in an issue. */
	prefix?: string;
}

/**
 * Reads the fields of a write that fit the schema already.
 *
 * @throws Refusal with status 400 for values that the chatbot's attributes or the behaviour forbid
 */
export function contactChanges(sent: object, receiver: Receiver): ContactChanges {
	const { chatbot, behaviour, prefix = '' } = receiver;
	const { stripe_accounts, payment_accounts, custom_attributes, ...changes } = sent as SentFields;
	const accounts = withContractNames(stripe_accounts) ?? payment_accounts;
	const { typed, issues: attributeIssues } = typedAttributes(
		custom_attributes ?? {},
		chatbot,
		`${prefix}custom_attributes.`,
	);

	const issues = [
		...attributeIssues,
		...paymentIssues(accounts ?? [], behaviour, prefix),
		...nullIssues({ ...sent, ...typed }, behaviour, prefix),
	];
	if (issues.length > 0) throw badRequest(issues);

	return {
		...keptText(changes, behaviour),
		...(accounts !== undefined && { payment_accounts: keptAccounts(accounts ?? [], behaviour) }),
		...(custom_attributes !== undefined && { custom_attributes: custom_attributes && typed }),
	};
}

function withContractNames(accounts: SentFields['stripe_accounts']) {
	if (!accounts) return accounts;

	return accounts.map(({ label, stripe_id, stripe_email }) => ({
		label,
		payment_id: stripe_id,
		payment_email: stripe_email,
	}));
}

function withStripeNames(accounts: PaymentAccount[]) {
	return accounts.map(({ label, payment_id, payment_email }) => ({
		label,
		stripe_id: payment_id,
		stripe_email: payment_email,
	}));
}

/** Guides: a label and an ID or an email, for Chatbase's name of the field. Taken for the contract's name, too. */
function paymentIssues(accounts: PaymentAccount[], behaviour: Behaviour, prefix: string): Issue[] {
	const message = 'A label and an ID or an email are required';
	return accounts.flatMap((account, index) =>
		isWhole(account) ? [] : [{ field: `${prefix}${behaviour.paymentField}.${index}`, message }],
	);
}

function isWhole({ label, payment_id, payment_email }: PaymentAccount): boolean {
	return Boolean(label && (payment_id || payment_email));
}

function keptAccounts(accounts: PaymentAccount[], behaviour: Behaviour): PaymentAccount[] {
	return accounts.map(({ label, payment_email, ...account }) => ({
		label,
		...account,
		payment_email: behaviour.emailCase === 'lower' ? payment_email?.toLowerCase() : payment_email,
	}));
}

function nullIssues(values: object, behaviour: Behaviour, prefix: string): Issue[] {
	if (behaviour.nullInWrite === 'clears') return [];
	return Object.entries(values)
		.filter(([, value]) => value === null)
		.map(([field]) => ({ field: prefix + field, message: 'Must not be null' }));
}

type TextFields = Pick<ContactChanges, 'external_id' | 'name' | 'email' | 'phonenumber'>;

/** The text fields of a write as the service keeps them. */
function keptText(changes: TextFields, behaviour: Behaviour): TextFields {
	return Object.fromEntries(
		Object.entries(changes).map(([field, value]) => {
			if (value === null && behaviour.clearedText === 'empty') value = '';
			const isLowered = field === 'email' && behaviour.emailCase === 'lower';
			if (isLowered) return [field, value?.toLowerCase() ?? null];

			const isConverted = field === 'phonenumber' && behaviour.phoneForm === 'e164';
			return [field, isConverted && value ? e164Of(value) : value];
		}),
	);
}

/**
 * The custom attributes of a contact after a write. A null takes the attribute away.
 *
 * @param before the map that the contact has; empty for a new one
 */
export function attributesAfter(
	before: Contact['custom_attributes'],
	sent: Record<string, AttributeValue> | null,
	mode: Behaviour['attributesOnPatch'],
): Contact['custom_attributes'] {
	const values = { ...(mode === 'merge' && sent ? before : {}), ...sent };
	return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

/** The contact as the service answers it. */
export function contactRecord(contact: Contact, behaviour: Behaviour): Record<string, unknown> {
	const { id, external_id, payment_accounts, custom_attributes, created_at, updated_at, ...rest } =
		contact;
	const hasContractNames = behaviour.paymentField === 'payment_accounts';

	const record = {
		id,
		external_id,
		...rest,
		custom_attributes,
		...(hasContractNames
			? { payment_accounts }
			: { stripe_accounts: withStripeNames(payment_accounts) }),
		created_at,
		updated_at,
	};

	if (behaviour.missingFields === 'null') return record;
	return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}
