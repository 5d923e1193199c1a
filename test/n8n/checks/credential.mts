/** The credential as a user saves it: what n8n shows for valid and invalid values. */
import { type Locator, type Page } from 'playwright-core';

import { type Checks } from '../../../lab/expectations.mjs';
import { type Stage } from '../../../lab/stage.mjs';

export async function credentialIsTested(stage: Stage, checks: Checks): Promise<string> {
	const { service, api, editor } = stage;
	const { page } = editor!;
	await editor!.goTo('/home/credentials/create');
	const search = page.getByTestId('new-credential-type-select').locator('input');
	await search.fill('chatbase');
	await page.getByTestId('new-credential-type-select-option').getByText('Chatbase API').click();
	await page.getByTestId('new-credential-type-button').click();
	const dialog = page.getByTestId('editCredential-modal');
	const url = box(dialog, 'baseUrl');
	await url.waitFor();
	checks.expectEqual(
		'The Base URL is already filled in',
		await url.inputValue(),
		'https://www.chatbase.co/api/v1',
	);
	const label = dialog.locator('label').filter({ hasText: 'Base URL' });
	await label.hover();
	await label.locator('svg').first().hover();
	const help = page.getByText(/Leave as it is for Chatbase\./).filter({ visible: true });
	await help.waitFor({ timeout: 5000 }).catch(() => {});
	checks.expect('Its help says to leave it so', await help.isVisible());
	await editor!.screenshot('credential-base-url');
	checks.expectEqual(
		'The key is hidden while it is typed',
		await box(dialog, 'apiKey').getAttribute('type'),
		'password',
	);

	const deadHost = 'http://127.0.0.1:9/api/v1';
	const withName = service.baseUrl.replace('//', '//name:secret@');
	const wrongPath = service.baseUrl.replace('/v1', '/v9');
	const cases: Array<[string, string, string, RegExp]> = [
		['A wrong key', 'wrong-key', service.baseUrl, /rejected the API key.*Copy it again/],
		['A dead host', service.apiKey, deadHost, /ECONNREFUSED|refused/],
		['A wrong path', service.apiKey, wrongPath, /Base URL doesn't lead to the API/],
		['A name in the Base URL', service.apiKey, withName, /has a user or password.*Remove/],
	];
	for (const [what, apiKey, baseUrl, sentence] of cases) {
		const text = await save(dialog, page, apiKey, baseUrl, sentence);
		checks.expectMatch(`${what} is explained`, text, sentence);
		await editor!.screenshot(`credential-${what.toLowerCase().replaceAll(' ', '-')}`);
	}
	const success = /Connection tested successfully/;
	const text = await save(dialog, page, service.apiKey, ` ${service.baseUrl}/ `, success);
	checks.expectMatch('A valid key passes, with spaces around the Base URL', text, success);
	await editor!.screenshot('credential-right-key');

	const stored = await api.session.request<Array<{ name: string; type: string }>>(
		'GET',
		'/rest/credentials',
	);
	const ours = stored.filter(({ type }) => type === 'chatbaseV1Api').map((one) => one.name);
	checks.expectEqual('The credential is saved', ours.length, 2);
	return `${cases.length} wrong settings and the right ones`;
}

function box(dialog: Locator, parameter: string): Locator {
	return dialog.getByTestId(`parameter-input-${parameter}`).locator('input');
}

/** Saves, which also tests, and returns what the dialog says about the test. */
async function save(
	dialog: Locator,
	page: Page,
	apiKey: string,
	baseUrl: string,
	expected: RegExp,
): Promise<string> {
	await box(dialog, 'apiKey').fill(apiKey);
	await box(dialog, 'baseUrl').fill(baseUrl);
	const tested = page.waitForResponse((response) => response.url().endsWith('/credentials/test'));
	await dialog.getByTestId('credential-save-button').click();
	await tested;
	const settings = dialog.getByTestId('node-credentials-config-container');
	const details = settings.getByText('More details').filter({ visible: true });
	const told = settings.getByText(expected).filter({ visible: true });
	await details.or(told).first().waitFor();
	if (await details.isVisible()) await details.click();
	await told.waitFor({ timeout: 5000 }).catch(() => {});
	return (await settings.innerText()).replace(/\s+/g, ' ');
}
