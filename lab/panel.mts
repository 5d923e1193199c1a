import { type Locator, type Page } from 'playwright-core';

/** The panel of the node that is open in the editor. */
export class Panel {
	readonly locator: Locator;

	constructor(private readonly page: Page) {
		this.locator = page.getByTestId('ndv');
	}

	/** Waits until the panel shows the node's parameters. */
	async waitFor(): Promise<void> {
		await this.locator.getByTestId('node-parameters').waitFor();
	}

	/** A parameter's own part of the panel. */
	field(parameter: string): Locator {
		return this.locator.getByTestId(`parameter-input-${parameter}`);
	}

	/** The input of a parameter. */
	box(parameter: string): Locator {
		return this.field(parameter).locator('input, textarea');
	}

	/** Chooses a stored credential. */
	async chooseCredential(name: string): Promise<void> {
		await this.locator.getByTestId('node-credentials-select').click();
		await this.page.getByRole('option', { name }).click();
	}

	/** Makes a new credential from the list of the node, or from its button if n8n has none yet. */
	async makeCredential(values: Record<string, string>): Promise<void> {
		const list = this.locator.getByTestId('node-credentials-select');
		const first = this.locator.getByRole('button', { name: /^Connect to / });
		await list.or(first).waitFor();
		if (await first.isVisible()) {
			await first.click();
		} else {
			await list.click();
			const entry = this.page.getByTestId('node-credentials-select-item-new');
			await entry.filter({ visible: true }).click();
		}

		const dialog = this.page.getByTestId('editCredential-modal');
		// n8n asks its server for a name, and can't save without one.
		const name = dialog.getByTestId('credential-name').getByTestId('inline-edit-preview');
		await name.filter({ hasText: /\S/ }).waitFor();
		for (const [parameter, value] of Object.entries(values)) {
			await dialog.getByTestId(`parameter-input-${parameter}`).locator('input').fill(value);
		}
		await dialog.getByTestId('credential-save-button').click();
		await dialog.waitFor({ state: 'hidden' });
	}

	/** The address of a webhook for the published workflow. */
	async productionUrl(): Promise<string> {
		await this.locator.getByText('Production URL', { exact: true }).click();
		return (await this.locator.getByText(/^https?:\S+\/webhook\//).innerText()).trim();
	}

	/** Chooses an item From List, after a search when one is given. */
	async chooseFromList(parameter: string, item: string, search?: string): Promise<void> {
		await this.locator.getByTestId(`resource-locator-${parameter}`).click();
		const items = this.page.locator('[data-test-id=rlc-item]:visible');
		await items.first().waitFor();
		if (search) await this.page.locator('[data-test-id=rlc-search]:visible').fill(search);
		await items.filter({ hasText: item }).click();
		await items.first().waitFor({ state: 'hidden' });
	}

	/** Labels of which the panel shows only the start, with three dots. */
	async cutLabels(): Promise<string[]> {
		const labels = this.locator.getByTestId('node-parameters').locator('label span, label div');
		return await labels.evaluateAll((elements) =>
			elements
				.filter((element) => getComputedStyle(element).textOverflow === 'ellipsis')
				.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
				.map(({ textContent }) => textContent.trim()),
		);
	}

	/** Adds a field that the mapper offers below the others. */
	async addField(label: string): Promise<void> {
		await this.locator.getByTestId('add-fields-select').getByRole('button').click();
		await this.page.getByRole('menuitem', { name: label }).click();
	}

	/** Lets the mapper take the columns of the input. */
	async mapAutomatically(): Promise<void> {
		await this.locator.getByTestId('mapping-mode-select').click();
		await this.page.getByRole('option', { name: 'Map Automatically' }).click();
	}

	/** Adds an option to Options, which stands last, as it is. */
	async addOption(label: string): Promise<void> {
		await this.addTo(this.collections.last(), label);
	}

	/** Adds a filter to Filters, which stands first, as it is. */
	async addFilter(label: string): Promise<void> {
		await this.addTo(this.collections.first(), label);
	}

	private get collections(): Locator {
		return this.locator.getByTestId('collection-parameter-add').filter({ visible: true });
	}

	private async addTo(collection: Locator, label: string): Promise<void> {
		await collection.click();
		const option = this.page.getByRole('option').filter({ visible: true });
		await option.getByText(label, { exact: true }).click();
	}

	/** Turns a field into an expression and types it. */
	async typeExpression(parameter: string, expression: string): Promise<void> {
		const field = this.field(parameter);
		// The first = of a text switches to an expression.
		await this.box(parameter).fill('=');
		await field.locator('.cm-content').click();
		await this.page.keyboard.type(`{{ ${expression}`);
		await this.page.keyboard.press('Escape');
	}

	/** The names in a list of fixed options. */
	async options(parameter: string): Promise<string[]> {
		await this.field(parameter).click();
		const options = this.page.locator('[role=option]:visible');
		await options.first().waitFor();
		const texts = await options.allInnerTexts();
		await this.page.keyboard.press('Escape');
		return texts.map((text) => text.split('\n')[0]!.trim());
	}

	/** Chooses from a list of fixed options. */
	async chooseOption(parameter: string, option: string): Promise<void> {
		await this.field(parameter).click();
		const options = this.page.getByRole('option').filter({ visible: true });
		await options.getByText(option, { exact: true }).click();
	}

	/** Lets the model of an agent fill in a field of a tool. */
	async letModelFillIn(parameter: string): Promise<void> {
		const input = this.page.getByTestId(`parameter-input-${parameter}`);
		const item = this.locator.locator('.parameter-item').filter({ has: input });
		await item.getByTestId('from-ai-override-button').click();
	}

	/** Refreshes the field list of the mapper. */
	async refreshFields(): Promise<void> {
		const options = this.locator.getByTestId('columns-parameter-input-options-container');
		await options.getByTestId('action-toggle').click();
		await this.page.getByRole('menuitem', { name: 'Refresh Field List' }).click();
	}

	/** Drags a field of the input onto a parameter, which makes an expression of it. */
	async dragInput(field: string, parameter: string): Promise<void> {
		const pill = this.locator
			.getByTestId('ndv-input-panel')
			.getByTestId('run-data-schema-node-name')
			.getByText(field, { exact: true });
		const target = this.field(parameter);
		await pill.scrollIntoViewIfNeeded();
		await pill.hover();
		await this.page.mouse.down();
		await target.hover();
		await target.hover();
		await this.page.mouse.up();
		// n8n moves the cursor into the expression a moment later, and what is typed meanwhile would go there.
		const focused = target.locator('.cm-focused').waitFor({ timeout: 2000 });
		await focused.catch(() => undefined);
	}

	/** Executes the step and waits for its end. */
	async execute(): Promise<void> {
		const output = this.locator.getByTestId('output-panel');
		const success = output.getByTestId('node-run-status-success');
		const ended = success.or(output.getByTestId('node-run-status-danger'));
		// If the mapper has loaded its fields during the run, n8n says that the parameters have changed.
		const changed = output.getByTestId('node-run-info-stale');
		const isChanged = await changed.isVisible();

		await this.locator.getByTestId('node-execute-button').click();
		await (isChanged ? ended : ended.or(changed)).waitFor();
	}

	/** Whether a text appears in the output within a moment. */
	async outputShows(text: RegExp): Promise<boolean> {
		const output = this.locator.getByTestId('output-panel').filter({ hasText: text });
		return await output.waitFor({ timeout: 15_000 }).then(
			() => true,
			() => false,
		);
	}

	async close(): Promise<void> {
		await this.page.getByTestId('ndv-close-button').click();
		await this.locator.waitFor({ state: 'hidden' });
	}
}
