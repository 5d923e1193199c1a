/** The third path of the documents by clicks: two examples are imported, filled in and published, and a shop uses them. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { answerTo, expectStatus } from '../../../demo/visit.mjs';
import { askForToken, startWebsite, type Webhook } from '../../../demo/website.mjs';
import { type Editor, launchBrowser } from '../../../lab/browser.mjs';
import { type Crm, startCrm } from '../../../lab/crm.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { orderAction } from '../../../lab/orderAction.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { examplesFolder } from '../../../lab/paths.mjs';
import { type Stage } from '../../../lab/stage.mjs';
import { type Chatbot } from '../../../service/index.js';

const websiteHeader = { name: 'x-website', value: 'only-the-server-knows' };
const chatbotHeader = { name: 'x-chatbot', value: 'only-the-chatbot-knows' };

const ada = { id: 'C-1', name: 'Ada', order: '1042' };
const orders = [
	{ number: '1042', customer: ada.id, status: 'on its way', arrives: '2026-11-27' },
	{ number: '1043', customer: 'C-2', status: 'packed' },
];

/** Labels of n8n's menu, by which examples/README.md says how to import. */
type Menu = [menu: string, entry: string];

/** An example that was published by clicks. */
interface Published {
	id: string;
	webhook: Webhook;
}

export async function websiteKnowsCustomers(stage: Stage, checks: Checks): Promise<string> {
	const { api, service } = stage;
	const editor = stage.editor!;
	const chatbot = service.store.addChatbot({ name: 'Website by clicks' });
	const crm = await startCrm([]);
	crm.orders = orders;
	const published: Published[] = [];
	try {
		const menu = await menuOfReadme();
		await checks.attempt(
			`The menu of a workflow has ${menu.join(' → ')}, as examples/README.md says`,
			async () => await editor.importFile(fileOf('recognize-the-customer'), menu),
		);
		const recognition = await publishRecognition(editor, chatbot);
		published.push(recognition);

		await editor.importFile(fileOf('order-status-for-the-chatbot'), menu);
		const orderStatus = await publishOrderStatus(editor, crm);
		published.push(orderStatus);

		await onlyTheServerGetsTokens(recognition.webhook, checks);
		service.setUpAction(chatbot.id, orderAction(orderStatus.webhook.url, chatbotHeader));
		await shopIsVisited(stage, recognition.webhook, chatbot, checks);
	} finally {
		for (const { id } of published) {
			await api.session.request('POST', `/rest/workflows/${id}/deactivate`, {});
		}
		await crm.close();
	}
	return 'two examples imported, three credentials made, both published, and a shop that uses them';
}

async function menuOfReadme(): Promise<Menu> {
	const readme = await readFile(join(examplesFolder, 'README.md'), 'utf8');
	const [, menu, entry] = /\[\*\*(\w+) → ([\w ]+)\*\*\]/.exec(readme)!;
	return [menu!, entry!];
}

function fileOf(example: string): string {
	return join(examplesFolder, `${example}.json`);
}

async function publishRecognition(
	editor: Editor,
	{ verificationSecret }: Chatbot,
): Promise<Published> {
	const panel = new Panel(editor.page);
	await editor.openPanel('When the website asks');
	await panel.makeCredential(websiteHeader);
	const url = await panel.productionUrl();
	await panel.close();

	await editor.openPanel('Sign token');
	await panel.makeCredential({ secret: verificationSecret });
	await panel.close();

	await editor.publish();
	await editor.screenshot('website-recognition');
	return { id: await editor.workflowId(), webhook: { url, header: websiteHeader } };
}

async function publishOrderStatus(editor: Editor, crm: Crm): Promise<Published> {
	const panel = new Panel(editor.page);
	// n8n has filled in the credential of the other webhook.
	await editor.openPanel('When the chatbot asks');
	await panel.makeCredential(chatbotHeader);
	const url = await panel.productionUrl();
	await panel.close();

	await editor.openPanel('Get order');
	const saved = editor.savedWith(`${crm.baseUrl}/order`);
	await panel.box('url').fill(`${crm.baseUrl}/order`);
	await saved;
	await panel.close();

	await editor.publish();
	await editor.screenshot('website-order-status');
	return { id: await editor.workflowId(), webhook: { url, header: chatbotHeader } };
}

async function onlyTheServerGetsTokens({ url, header }: Webhook, checks: Checks): Promise<void> {
	const other = { url, header: chatbotHeader };
	checks.expectEqual(
		'The header of the chatbot gets no token',
		await askForToken(other, ada.id),
		null,
	);
	const token = await askForToken({ url, header }, ada.id);
	checks.expect('The header of the website gets one', token !== null);
}

async function shopIsVisited(
	stage: Stage,
	webhook: Webhook,
	{ id }: Chatbot,
	checks: Checks,
): Promise<void> {
	const website = await startWebsite({
		shoppers: [ada],
		getToken: async (customerId) => await askForToken(webhook, customerId),
		chatbot: stage.service.pageOf(id),
	});
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage();
		await page.goto(website.address);
		await expectStatus(page, "It doesn't know who you are.");
		checks.expectMatch(
			'Who has not signed in has to',
			await answerTo(page, 'Where is order 1042?'),
			/Please sign in on the website first/,
		);

		await page.getByRole('button', { name: 'Ada, order 1042' }).click();
		await expectStatus(page, 'It knows you as C-1.');
		checks.expectMatch(
			'A customer who has signed in learns where the order is',
			await answerTo(page, 'Where is order 1042?'),
			/Order 1042: on its way\. It should arrive on Friday, November 27\./,
		);
		checks.expectMatch(
			'But of no order of somebody else',
			await answerTo(page, 'Where is order 1043?'),
			/There is no order with this number in your account/,
		);
	} finally {
		await browser.close();
		await website.close();
	}
}
