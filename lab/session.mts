/** The owner of the started instances. Nothing in them is secret. */
export const owner = {
	email: 'owner@example.com',
	firstName: 'Olive',
	lastName: 'Owner',
	password: 'Only-for-this-1',
};

/** A client of the REST interface of n8n's editor, with the login cookie. */
export class Session {
	/** The login cookie as `name=value`, once there is one. */
	cookie = '';

	constructor(readonly baseUrl: string) {}

	/** Creates the instance's owner, which also logs in. */
	async setUpOwner(): Promise<void> {
		await this.request('POST', '/rest/owner/setup', owner);
	}

	/** Logs the owner in, for an instance that was set up before. */
	async logIn(): Promise<void> {
		const { email, password } = owner;
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/** One request; returns the `data` of n8n's answer, or throws with n8n's own message. */
	async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(this.baseUrl + path, {
			method,
			headers: { ...this.headers(), 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const cookie = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';', 1)[0]!;

		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return (JSON.parse(text) as { data: T }).data;
	}

	/** A file that only a logged-in user gets, such as the list of node types. */
	async file(path: string): Promise<string> {
		const response = await fetch(this.baseUrl + path, { headers: this.headers() });
		if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
		return await response.text();
	}

	private headers(): Record<string, string> {
		// After seconds of load, n8n closes idle connections, also when a request is already sent.
		return { cookie: this.cookie, connection: 'close' };
	}
}
