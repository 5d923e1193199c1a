/** Contact Fields in the editor: n8n stores only what was typed. */
import { type StoredWorkflow } from '../api.mjs';
import { type Checks } from '../expectations.mjs';
import { Panel } from '../panel.mjs';
import { supportBot, type Stage } from '../stage.mjs';

const labels = {
	number: 'Attribute: Lifetime value',
	boolean: 'Attribute: Newsletter',
	date: 'Attribute: Signed up',
};

/** The value of a mapper that was saved before the chatbot had attributes, or by a program. */
const mappers = {
	empty: { mappingMode: 'defineBelow', value: {} },
	emptyAndAutomatic: { mappingMode: 'autoMapInputData', value: {} },
};

const oldSchema = [
	{ id: 'external_id', displayName: 'External ID', type: 'string', display: true },
];

export async function contactFieldsAreStored(stage: Stage, checks: Checks): Promise<string> {
	for (const operation of ['upsert', 'update', 'create']) {
		await untouchedPanelStoresNothing(stage, { operation }, checks);
	}
	for (const contactFields of Object.values(mappers)) {
		await untouchedPanelStoresNothing(stage, { operation: 'upsert', contactFields }, checks);
	}
	await typedValuesAreStored(stage, checks);
	await refreshStoresNothing(stage, checks);
	await modelFillsInTruth(stage, checks);
	return 'five untouched panels, a field of each type, three refreshes, a tool';
}

async function untouchedPanelStoresNothing(stage: Stage, parameters: object, checks: Checks) {
	const editor = stage.editor!;
	const workflow = await importNode(stage, parameters);
	await editor.openWorkflow(workflow);
	const saved = editor.savedWith('custom_attributes.signed_up');
	await editor.openPanel('Contacts');
	await saved;
	await new Panel(editor.page).close();
	const stored = await readStored(stage, workflow);
	checks.expectEqual(
		`An untouched panel of ${JSON.stringify(parameters)} stores no value`,
		stored.value ?? {},
		{},
	);
}

async function typedValuesAreStored(stage: Stage, checks: Checks): Promise<void> {
	const { service } = stage;
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	const workflow = await importNode(stage, { operation: 'upsert' });
	await editor.openWorkflow(workflow);
	editor.takeComplaints();
	await editor.openPanel('Contacts');

	for (const label of Object.values(labels)) await panel.addField(label);
	await saveWith(stage, panel, 'fields-1');
	checks.expectEqual(
		'Fields that were added and left blank are not stored',
		(await readStored(stage, workflow)).value,
		{ external_id: 'fields-1' },
	);

	await panel.chooseOption('custom_attributes.newsletter', 'False');
	await panel.box('custom_attributes.lifetime_value').fill('12.5');
	await typeDate(panel, '2026-03-29 00:00:00');
	await editor.screenshot('contact-fields');
	await saveWith(stage, panel, 'fields-2');
	checks.expectEqual(
		'Typed and chosen values are stored unchanged',
		sorted((await readStored(stage, workflow)).value),
		sorted({
			external_id: 'fields-2',
			'custom_attributes.newsletter': false,
			'custom_attributes.lifetime_value': 12.5,
			'custom_attributes.signed_up': '2026-03-29T00:00:00',
		}),
	);

	service.clearRequests();
	await panel.execute();
	const sent = service.requests.find(({ method }) => method === 'POST')?.body as Creation;
	checks.expectEqual(
		'The service receives the values in their types, with the same day',
		sorted(sent?.users[0]?.custom_attributes),
		sorted({ lifetime_value: 12.5, newsletter: false, signed_up: '2026-03-29T00:00:00' }),
	);

	await panel.box('custom_attributes.lifetime_value').fill('');
	await saveWith(stage, panel, 'fields-3');
	const { value } = await readStored(stage, workflow);
	const left = value?.['custom_attributes.lifetime_value'] ?? '';
	checks.expectEqual('A cleared number is stored as empty text', left, '');
	await panel.close();
	checks.expectEqual('The console of the browser has no errors', editor.takeComplaints(), []);
}

/**
 * Attributes that n8n adds to the panel, because they are new, have
 * no value until the user sets one. n8n fills in defaults when nothing was mapped before.
 */
async function refreshStoresNothing(stage: Stage, checks: Checks): Promise<void> {
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	const cases: Array<[where: string, type: string, value: object]> = [
		['mapped', 'chatbase', { external_id: 'fields-4' }],
		['empty', 'chatbase', {}],
		['tool', 'chatbaseTool', {}],
	];
	for (const [where, type, value] of cases) {
		const contactFields = { mappingMode: 'defineBelow', value, schema: oldSchema };
		const workflow = await importNode(stage, { operation: 'upsert', contactFields }, type);
		await editor.openWorkflow(workflow);
		await editor.openPanel('Contacts');
		await panel.refreshFields();
		await panel.field('custom_attributes.signed_up').scrollIntoViewIfNeeded();
		await editor.screenshot(`contact-fields-refreshed-${where}`);
		await saveWith(stage, panel, 'fields-5');
		checks.expectEqual(
			`Attributes that appear after a refresh (${where}) are not stored until a value is given`,
			(await readStored(stage, workflow)).value,
			{ external_id: 'fields-5' },
		);
		await panel.close();
	}
}

/** n8n offers this for texts and toggles, not for lists. */
async function modelFillsInTruth(stage: Stage, checks: Checks): Promise<void> {
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	const workflow = await importNode(stage, { operation: 'upsert' }, 'chatbaseTool');
	await editor.openWorkflow(workflow);
	await editor.openPanel('Contacts');
	checks.expectEqual(
		'The panel of a tool offers Create or Update, but not Mirror',
		(await panel.options('operation')).filter((name) => /^(Create or Update|Mirror)$/.test(name)),
		['Create or Update'],
	);
	await panel.addField(`${labels.boolean}, true or false`);
	await panel.letModelFillIn('custom_attributes.newsletter');
	await editor.screenshot('contact-fields-of-a-tool');
	await saveWith(stage, panel, 'fields-6');
	const { value } = await readStored(stage, workflow);
	checks.expectMatch(
		'The model of an agent can fill in a boolean attribute',
		String(value?.['custom_attributes.newsletter']),
		/\$fromAI\('Attribute__Newsletter__true_or_false', ``, 'string'\)/,
	);
	await panel.close();
}

/** Types the External ID last, and waits until the editor has saved it with everything before. */
async function saveWith({ editor }: Stage, panel: Panel, externalId: string): Promise<void> {
	const saved = editor!.savedWith(`"${externalId}"`);
	await panel.box('external_id').fill(externalId);
	await saved;
}

async function typeDate(panel: Panel, text: string): Promise<void> {
	const box = panel.box('custom_attributes.signed_up');
	await box.click();
	await box.fill(text);
	await box.press('Enter');
}

async function importNode(
	{ api, credential }: Stage,
	parameters: object,
	type = 'chatbase',
): Promise<StoredWorkflow> {
	const { id, name } = supportBot;
	const node = {
		id: 'contacts',
		name: 'Contacts',
		type: `n8n-nodes-chatbase.${type}`,
		typeVersion: 1,
		position: [240, 0],
		parameters: {
			resource: 'contact',
			chatbotId: { __rl: true, mode: 'list', value: id, cachedResultName: name },
			...parameters,
		},
		credentials: { chatbaseV1Api: { id: '', name: '' } },
	};
	const start = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const toContacts = { main: [[{ node: 'Contacts', type: 'main', index: 0 }]] };
	const connections = type === 'chatbase' ? { Start: toContacts } : {};
	return await api.importWorkflow({ name: 'Contact fields', nodes: [start, node], connections }, [
		credential,
	]);
}

interface Creation {
	users: Array<{ custom_attributes: Record<string, unknown> }>;
}

interface MapperValue {
	value: Record<string, unknown> | null;
}

async function readStored({ api }: Stage, { id }: StoredWorkflow): Promise<MapperValue> {
	const { nodes } = await api.session.request<StoredWorkflow>('GET', `/rest/workflows/${id}`);
	return nodes.find(({ name }) => name === 'Contacts')!.parameters.contactFields as MapperValue;
}

function sorted(record: Record<string, unknown> | null | undefined) {
	return Object.entries(record ?? {}).sort(([left], [right]) => left.localeCompare(right));
}
