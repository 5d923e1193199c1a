import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, selectors, type Browser, type Locator, type Page } from 'playwright-core';

import { HelpfulError } from './help.mjs';
import { screenshotFolder } from './paths.mjs';
import { owner } from './session.mjs';
import { type Workflow } from './workflow.mjs';

selectors.setTestIdAttribute('data-test-id');

export const windowSize = { width: 1440, height: 900 };

const usualPlaces = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/usr/bin/google-chrome-stable',
	'/snap/bin/chromium',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Why checks with a browser are skipped. */
export const noChromium = 'no Chromium was found';

/** What to do without a Chromium. */
export const chromiumHelp =
	'Install one (on Debian: apt-get install chromium), or let CHROMIUM_PATH name the program of a Chromium or Chrome.';

/** The program of an installed Chromium or Chrome, if there is one. */
export function findChromium(): string | undefined {
	const named = process.env.CHROMIUM_PATH;
	if (named === undefined) return usualPlaces.find((path) => existsSync(path));
	if (existsSync(named)) return named;
	throw new HelpfulError(`CHROMIUM_PATH names ${named}, which does not exist.`);
}

/**
 * Starts a headless browser.
 *
 * @throws HelpfulError without a Chromium
 */
export async function launchBrowser(): Promise<Browser> {
	const executablePath = findChromium();
	if (!executablePath)
		throw new HelpfulError(`A browser cannot be started: ${noChromium}. ${chromiumHelp}`);
	return await chromium.launch({
		executablePath,
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/** A part of the window, in pixels. */
export interface Clip {
	x: number;
	y: number;
	width: number;
	height: number;
}

/** n8n's editor in a headless browser. */
export class Editor {
	/** Errors in the browser's console, also n8n's own. */
	private complaints: string[] = [];

	private constructor(
		private readonly browser: Browser,
		readonly page: Page,
		private readonly baseUrl: string,
	) {
		page.on('pageerror', (error) => this.complaints.push(error.message));
		page.on('console', (message) => {
			const { url } = message.location();
			// Addresses elsewhere are n8n's own calls to the outside, which may have no network.
			const isOurs = url === '' || url.startsWith(baseUrl);
			if (message.type() === 'error' && isOurs) this.complaints.push(`${message.text()} ${url}`);
		});
	}

	/** Opens the editor and logs the owner in through the login form. */
	static async open(baseUrl: string): Promise<Editor> {
		const browser = await launchBrowser();
		try {
			const page = await browser.newPage({ viewport: windowSize });
			await logIn(page, baseUrl);
			return new Editor(browser, page, baseUrl);
		} catch (error) {
			await browser.close();
			throw error;
		}
	}

	/** Errors in the console since the last call. */
	takeComplaints(): string[] {
		return this.complaints.splice(0);
	}

	/** Shows a page of n8n. */
	async goTo(path: string): Promise<void> {
		await this.page.goto(this.baseUrl + path);
	}

	/** Shows an empty canvas. */
	async newWorkflow(): Promise<void> {
		await this.goTo('/workflow/new');
		await this.page.getByTestId('canvas-add-button').waitFor();
	}

	/** Searches the list of nodes, and tells whether a node of this name is found. */
	async findsNode(search: string, name: string): Promise<boolean> {
		const creator = this.page.getByTestId('node-creator');
		if (!(await creator.isVisible())) {
			const first = this.page.getByTestId('canvas-plus-button');
			await first.or(this.page.getByTestId('node-creator-plus-button')).first().click();
		}
		const box = creator.getByTestId('node-creator-search-bar');
		const found = this.listedNode(name);
		await box.fill('');
		await found.waitFor({ state: 'hidden' });
		await box.fill(search);
		return await found.waitFor({ timeout: 5000 }).then(
			() => true,
			() => false,
		);
	}

	/** Adds a node from the list of nodes, or one action of it, which opens its panel. */
	async addNode(search: string, name: string, action?: string): Promise<void> {
		await this.findsNode(search, name);
		await this.listedNode(name).click();
		if (action) await this.chooseAction(action);
		await this.page.getByTestId('node-creator').waitFor({ state: 'hidden' });
	}

	/** In an empty workflow, n8n shows the triggers of a node, and its actions below a closed heading. */
	private async chooseAction(action: string): Promise<void> {
		const title = /^Actions \(\d+\)$/;
		const creator = this.page.getByTestId('node-creator');
		const listed = this.listedNode(action);
		await creator.getByText(title).or(listed).first().waitFor();
		// An open heading may stand there before its actions: a click would close it.
		const closed = creator.locator('[data-category-collapsed=true]').getByText(title);
		if (await closed.isVisible()) await closed.click();
		await listed.click();
	}

	private listedNode(name: string): Locator {
		return this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	}

	/** Waits until the editor has saved the workflow with this text in it, or in one of its nodes. */
	async savedWith(text: string, node?: string): Promise<void> {
		await this.page.waitForResponse((response) => {
			const request = response.request();
			const isSave = ['PATCH', 'POST'].includes(request.method());
			if (!isSave || !/\/rest\/workflows(\/\w+)?$/.test(response.url().split('?')[0]!))
				return false;
			const { nodes = [] } = request.postDataJSON() as Partial<Workflow>;
			const saved = node === undefined ? nodes : nodes.filter(({ name }) => name === node);
			return response.ok() && JSON.stringify(saved).includes(text);
		});
	}

	/** Shows a workflow on the canvas. */
	async openWorkflow({ id }: { id: string }): Promise<void> {
		await this.goTo(`/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/**
	 * Imports a file into an empty workflow through the menu of the workflow.
	 *
	 * @param labels of the menu and of its entry, such as Import and From file
	 */
	async importFile(path: string, [menu, entry]: [string, string]): Promise<void> {
		await this.newWorkflow();
		await this.page.getByTestId('workflow-menu').click();
		await this.page.getByRole('menuitem', { name: menu, exact: true }).hover();
		const [chooser] = await Promise.all([
			this.page.waitForEvent('filechooser'),
			this.page.getByRole('menuitem', { name: entry, exact: true }).click(),
		]);
		await chooser.setFiles(path);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Publishes the workflow that is open, through the dialog of n8n. */
	async publish(): Promise<void> {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		await this.page.getByRole('button', { name: 'Got it' }).click();
	}

	/** The ID of the workflow that is open, once n8n has stored it. */
	async workflowId(): Promise<string> {
		await this.page.waitForURL((url) => idIn(url) !== 'new');
		return idIn(new URL(this.page.url()));
	}

	/** Shows the list of workflows. */
	async showList(): Promise<void> {
		await this.goTo('/home/workflows');
		await this.page.getByTestId('resources-list-search').waitFor();
	}

	/** Opens a workflow from the list by a click, which is faster than its address: the editor is loaded already. */
	async openFromList(name: string): Promise<void> {
		await this.page.getByTestId('resources-list-search').fill(name);
		await this.page.getByTestId('workflow-card-name').getByText(name, { exact: true }).click();
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Returns to the list, and saves nothing: n8n counts it as a change when a mapper has loaded its fields. */
	async backToList(): Promise<void> {
		const leave = this.page.getByRole('button', { name: 'Leave without saving' });
		const list = this.page.getByTestId('resources-list-search');
		await this.page.goBack();
		await leave.or(list).waitFor();
		if (await leave.isVisible()) await leave.click();
		await list.waitFor();
	}

	/** Opens a node's panel by a double click on the canvas. */
	async openPanel(nodeName: string): Promise<Locator> {
		await this.node(nodeName).dblclick();
		const panel = this.page.getByTestId('ndv');
		await panel.getByTestId('node-parameters').waitFor();
		return panel;
	}

	/** Closes the panel that is open. */
	async closePanel(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(
			`[data-test-id="canvas-node"][data-node-name=${JSON.stringify(name)}]`,
		);
	}

	/** Takes a picture of the window when nothing moves, and returns its path. */
	async screenshot(name: string): Promise<string> {
		const path = join(screenshotFolder, `${name}.png`);
		await mkdir(screenshotFolder, { recursive: true });
		await writeFile(path, await this.still());
		return path;
	}

	/**
	 * A picture when nothing moves: two pictures in a row are equal.
	 *
	 * @param clip the part of the window that is wanted; all of it without.
	 */
	async still(clip?: Clip): Promise<Buffer> {
		let before = await this.page.screenshot({ clip });
		for (let attempt = 0; attempt < 20; attempt++) {
			await this.page.waitForTimeout(250);
			const now = await this.page.screenshot({ clip });
			if (now.equals(before)) break;
			before = now;
		}
		return before;
	}

	async close(): Promise<void> {
		await this.browser.close();
	}
}

function idIn({ pathname }: URL): string {
	return /^\/workflow\/(\w+)/.exec(pathname)?.[1] ?? '';
}

async function logIn(page: Page, baseUrl: string): Promise<void> {
	await page.goto(`${baseUrl}/signin`);
	const form = page.getByTestId('signin-form');
	await form.locator('[name=emailOrLdapLoginId]').fill(owner.email);
	await form.locator('[name=password]').fill(owner.password);
	await form.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((url) => !url.pathname.startsWith('/signin'));
}
