/** Uses the simulated website in a real browser, as its visitors do. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { type Page } from 'playwright-core';

import { chromiumHelp, findChromium, launchBrowser, noChromium } from '../lab/browser.mjs';
import { type Checks } from '../lab/expectations.mjs';
import { screenshotFolder } from '../lab/paths.mjs';
import { article, sendArticle } from './article.mjs';
import { shoppersOf, type Stage } from './stage.mjs';

const signIn = 'Please sign in on the website first. Then ask again.';
const noSuchOrder = 'There is no order with this number in your account. Please check the number.';

/** What the chatbot says of the order of each customer, in the order of the page. */
const ownOrders = [
	'Order 1042: on its way. It should arrive on Friday, November 27.',
	'Order 1043: in the warehouse.',
	'Order 1044: delivered.',
];

export async function visitWebsite(stage: Stage, checks: Checks): Promise<void> {
	if (!findChromium()) {
		checks.skip(`the simulated website: ${noChromium}`, chromiumHelp);
		return;
	}
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage({ viewport: { width: 1080, height: 760 } });
		const complaints: string[] = [];
		page.on('pageerror', ({ message }) => complaints.push(message));
		await page.goto(stage.website.address);

		await customersAskForOrders(stage, page, checks);
		await articleIsAnswered(stage, page, checks);
		checks.expectEqual('The page has no errors', complaints, []);
	} finally {
		await browser.close();
	}
}

async function customersAskForOrders(stage: Stage, page: Page, checks: Checks): Promise<void> {
	const notice = await page.locator('.notice').textContent();
	checks.expectMatch('The page says that it is a simulation', notice ?? '', /is a simulation/);

	await expectStatus(page, "It doesn't know who you are.");
	checks.expectEqual('Nobody has to sign in', await answerTo(page, 'Where is order 1042?'), signIn);
	await takePicture(page, 'website-nobody');

	const shoppers = shoppersOf(stage);
	for (const [index, { id, name, order }] of shoppers.entries()) {
		await page.getByRole('button', { name: `${name}, order ${order}` }).click();
		await expectStatus(page, `It knows you as ${id}.`);
		checks.expectEqual(
			`${name} is recognized, and told of the order`,
			await answerTo(page, `Where is order ${order}?`),
			ownOrders[index],
		);
		const other = shoppers[(index + 1) % shoppers.length]!.order;
		checks.expectEqual(
			'But of no order of somebody else',
			await answerTo(page, `Where is order ${other}?`),
			noSuchOrder,
		);
		await takePicture(page, `website-customer-${index + 1}`);
	}

	await page.getByRole('button', { name: 'Nobody' }).click();
	await expectStatus(page, "It doesn't know who you are.");
	const signedOut = await answerTo(page, 'Where is order 1044?');
	checks.expectEqual('Who has signed out is nobody again', signedOut, signIn);
}

async function articleIsAnswered(stage: Stage, page: Page, checks: Checks): Promise<void> {
	const before = await answerTo(page, article.question);
	checks.expect('The chatbot does not know an article before', before !== article.content);
	await sendArticle(stage);
	const after = await answerTo(page, article.question);
	checks.expectEqual('It knows one that n8n has just sent', after, article.content);
	await takePicture(page, 'website-article');
}

/** Waits until the widget says whom it knows. */
export async function expectStatus(page: Page, text: string): Promise<void> {
	await page.getByRole('status').getByText(text, { exact: true }).waitFor();
}

/** Types a question, and waits for the answer. */
export async function answerTo(page: Page, question: string): Promise<string> {
	const answers = page.getByRole('log').locator('.chatbot');
	const count = await answers.count();
	await page.getByLabel('Message').fill(question);
	await page.getByRole('button', { name: 'Send' }).click();
	const answer = answers.nth(count);
	await answer.waitFor();
	return (await answer.textContent()) ?? '';
}

async function takePicture(page: Page, name: string): Promise<void> {
	await mkdir(screenshotFolder, { recursive: true });
	await page.screenshot({ path: join(screenshotFolder, `${name}.png`) });
}
