/** A response of unknown shape, or what is left of one. */
import { differs, notFoundOut, type Answer } from './answer';
import { isObject, jsonOf, objectOf, recordsOf, type JsonObject } from './shapes';

/** Statuses of refusals that have nothing to do with what was asked. */
const unrelated = [401, 402, 403, 429, 502, 503, 504];

/** What came over the network. */
export interface Arrived {
	status: number;
	headers: Headers;
	bytes: Buffer;
	/** Whether it ended as it should. */
	isComplete: boolean;
}

export class ServiceResponse {
	/** The bytes as text, as far as they are UTF-8. */
	readonly text: string;
	/** The parsed text; undefined when it is not JSON. */
	readonly json: unknown;

	/** 0 if no response was complete. */
	readonly status: number;
	readonly headers: Headers;
	readonly bytes: Buffer;
	readonly isComplete: boolean;
	/** Whether it is unknown if a write happened. */
	readonly isUnclear: boolean;

	constructor({ isUnclear, ...arrived }: Partial<Arrived> & Pick<ServiceResponse, 'isUnclear'>) {
		this.isUnclear = isUnclear;
		this.status = arrived.status ?? 0;
		this.headers = arrived.headers ?? new Headers();
		this.bytes = arrived.bytes ?? Buffer.alloc(0);
		this.isComplete = arrived.isComplete ?? false;
		this.text = this.bytes.toString('utf8');
		this.json = jsonOf(this.text);
	}

	get isSuccess(): boolean {
		return this.status >= 200 && this.status < 300;
	}

	/** Whether the service itself says that something is missing, not a page of HTML. */
	get isMissing(): boolean {
		return this.status === 404 && (this.message ?? this.code) !== undefined;
	}

	get body(): JsonObject {
		return objectOf(this.json);
	}

	/** The field `data` as an object; an empty one when it is something else. */
	get data(): JsonObject {
		return objectOf(this.body.data);
	}

	/** The field `data` as a list of objects. */
	get list(): JsonObject[] | undefined {
		return recordsOf(this.body.data);
	}

	/** A page of version 2. */
	get page() {
		const { pagination } = this.body;
		if (!this.isSuccess || !this.list || !isObject(pagination)) return undefined;
		const { cursor, hasMore, total } = pagination;
		return { rows: this.list, hasMore, total, cursor: typeof cursor === 'string' ? cursor : '' };
	}

	/** The service's message about a failure. */
	get message(): string | undefined {
		const { message } = this.body;
		return typeof message === 'string' ? message : undefined;
	}

	/** The code of a failure in version 2. */
	get code(): unknown {
		return objectOf(this.body.error).code;
	}

	/** The answer that the status stands for: `success` is 200 to 299, `missing` a 404 of the service itself. */
	pick<Name extends string>(
		answers: Record<number, Name> & { success?: Name; missing?: Name },
	): Name | undefined {
		if (this.isSuccess) return answers.success;
		return this.isMissing && answers.missing ? answers.missing : answers[this.status];
	}

	/** Without a quote. A refusal that has nothing to do with the question leaves it open. */
	unexpected(): Answer {
		const { status } = this;
		if (status === 0) return notFoundOut('no response');
		const isUnrelated = this.isUnclear || unrelated.includes(status);
		return (isUnrelated ? notFoundOut : differs)(`status ${status}, ${this.form()}`);
	}

	private form(): string {
		if (this.text === '') return 'no body';
		if (this.message !== undefined) return 'JSON with a message';
		if (this.code !== undefined) return 'JSON with a code';
		if (this.json !== undefined) return 'JSON of another shape';
		return this.text.trimStart().startsWith('<') ? 'HTML' : 'text';
	}
}
