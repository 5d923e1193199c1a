import { type Session } from './session.mjs';

export type Row = Record<string, unknown>;

interface Listed {
	id: string;
	name: string;
}

/** A data table of n8n, read and edited as its page in n8n does. */
export class DataTable {
	private constructor(
		private readonly session: Session,
		/** Below `/rest`. */
		private readonly path: string,
	) {}

	/** @throws Error if the owner has no table of this name */
	static async find(session: Session, name: string): Promise<DataTable> {
		const project = await session.request<{ id: string }>('GET', '/rest/projects/personal');
		const tables = `/rest/projects/${project.id}/data-tables`;
		const { data } = await session.request<{ data: Listed[] }>('GET', `${tables}?take=100`);
		const table = data.find((one) => one.name === name);
		if (!table) throw new Error(`n8n has no data table "${name}"`);
		return new DataTable(session, `${tables}/${table.id}`);
	}

	/** All rows, in the order in which they were added. */
	async rows(): Promise<Row[]> {
		const { data } = await this.session.request<{ data: Row[] }>(
			'GET',
			`${this.path}/rows?take=100&sortBy=id:asc`,
		);
		return data;
	}

	async add(rows: Row[]): Promise<void> {
		const body = { data: rows, returnType: 'count' };
		await this.session.request('POST', `${this.path}/insert`, body);
	}

	/** Writes cells of the row whose question this is, as a person types them. */
	async edit(question: string, data: Row): Promise<void> {
		const filters = [{ columnName: 'question', condition: 'eq', value: question }];
		await this.session.request('PATCH', `${this.path}/rows`, {
			filter: { type: 'and', filters },
			data,
		});
	}
}
