import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';

import { waitUntil } from './waitUntil.mjs';

/** In seconds. */
const patience = 60;

/** The email server of the checks: it accepts and keeps all emails. */
export class Mailbox {
	/** Emails that no check has taken yet. */
	readonly mails: ParsedMail[] = [];

	private constructor(
		private readonly server: SMTPServer,
		private readonly port: number,
	) {}

	static async open(): Promise<Mailbox> {
		const server = new SMTPServer({
			authOptional: true,
			disabledCommands: ['STARTTLS'],
			onData(stream, _session, callback) {
				simpleParser(stream).then((mail) => {
					mailbox.mails.push(mail);
					callback();
				}, callback);
			},
		});
		const port = await new Promise<number>((resolve, reject) => {
			server.once('error', reject);
			const listener = server.listen(0, '127.0.0.1', () => {
				const address = listener.address();
				resolve(typeof address === 'object' && address ? address.port : 0);
			});
		});
		const mailbox = new Mailbox(server, port);
		return mailbox;
	}

	/** The data of a credential of the type `smtp`. */
	get credentialData() {
		return { host: '127.0.0.1', port: this.port, secure: false, disableStartTls: true };
	}

	get count(): number {
		return this.mails.length;
	}

	/** Waits for an email and removes it. */
	async take(): Promise<ParsedMail> {
		await waitUntil(async () => this.mails.length > 0, patience);
		return this.mails.shift()!;
	}

	async close(): Promise<void> {
		await new Promise<void>((resolve) => this.server.close(() => resolve()));
	}
}
