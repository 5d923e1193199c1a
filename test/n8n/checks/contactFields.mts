/** Contact Fields in the editor: n8n stores only what was typed. */
import { type StoredWorkflow } from '../../../lab/api.mjs';
import { type Checks } from '../../../lab/expectations.mjs';
import { Panel } from '../../../lab/panel.mjs';
import { supportBot, type Stage } from '../../../lab/stage.mjs';

const labels = {
	number: 'Attribute: Lifetime value',
	boolean: 'Attribute: Newsletter',
	date: 'Attribute: Signed up',
};

const untouched = [
	{ name: 'upsert', parameters: { operation: 'upsert' } },
	// Saved before the chatbot had attributes, or by a program.
	{ name: 'empty mapper', parameters: mapperOf({ mappingMode: 'defineBelow', value: {} }) },
	{
		name: 'automatic mapper',
		parameters: mapperOf({ mappingMode: 'autoMapInputData', value: {} }),
	},
].map((node) => ({ ...node, type: 'chatbase' }));

const oldSchema = [
	{ id: 'external_id', displayName: 'External ID', type: 'string', display: true },
];

const refreshed = [
	{ name: 'mapped', type: 'chatbase', value: { external_id: 'fields-4' } },
	{ name: 'empty', type: 'chatbase', value: {} },
	{ name: 'tool', type: 'chatbaseTool', value: {} },
].map(({ name, type, value }) => ({
	name,
	type,
	parameters: mapperOf({ mappingMode: 'defineBelow', value, schema: oldSchema }),
}));

const typed = { name: 'Contacts', parameters: { operation: 'upsert' }, type: 'chatbase' };
const ofModel = { name: 'Model', parameters: { operation: 'upsert' }, type: 'chatbaseTool' };

export async function contactFieldsAreStored(stage: Stage, checks: Checks): Promise<string> {
	// One workflow, since the editor takes seconds to load.
	const workflow = await importNodes(stage, [...untouched, typed, ...refreshed, ofModel]);
	await stage.editor!.openWorkflow(workflow);
	for (const { name } of untouched) {
		await untouchedPanelStoresNothing(stage, workflow, name, checks);
	}
	await typedValuesAreStored(stage, workflow, checks);
	for (const { name } of refreshed) await refreshStoresNothing(stage, workflow, name, checks);
	await modelFillsInTruth(stage, workflow, checks);
	return 'three untouched panels, a field of each type, three refreshes, a tool';
}

function mapperOf(contactFields: object) {
	return { operation: 'upsert', contactFields };
}

async function untouchedPanelStoresNothing(
	stage: Stage,
	workflow: StoredWorkflow,
	name: string,
	checks: Checks,
) {
	const editor = stage.editor!;
	const saved = editor.savedWith('custom_attributes.signed_up', name);
	await editor.openPanel(name);
	await saved;
	await new Panel(editor.page).close();
	const { value } = await readStored(stage, workflow, name);
	checks.expectEqual(`An untouched panel (${name}) stores no value`, value ?? {}, {});
}

async function typedValuesAreStored(
	stage: Stage,
	workflow: StoredWorkflow,
	checks: Checks,
): Promise<void> {
	const { name } = typed;
	const { service } = stage;
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	editor.takeComplaints();
	await editor.openPanel(name);

	for (const label of Object.values(labels)) await panel.addField(label);
	await saveWith(stage, panel, name, 'fields-1');
	checks.expectEqual(
		'Fields that were added and left blank are not stored',
		(await readStored(stage, workflow, name)).value,
		{ external_id: 'fields-1' },
	);

	await panel.chooseOption('custom_attributes.newsletter', 'False');
	await panel.box('custom_attributes.lifetime_value').fill('12.5');
	await typeDate(panel, '2026-03-29 00:00:00');
	await editor.screenshot('contact-fields');
	await saveWith(stage, panel, name, 'fields-2');
	checks.expectEqual(
		'Typed and chosen values are stored unchanged',
		sorted((await readStored(stage, workflow, name)).value),
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
	await saveWith(stage, panel, name, 'fields-3');
	const { value } = await readStored(stage, workflow, name);
	const left = value?.['custom_attributes.lifetime_value'] ?? '';
	checks.expectEqual('A cleared number is stored as empty text', left, '');
	await panel.close();
	checks.expectEqual('The console of the browser has no errors', editor.takeComplaints(), []);
}

/**
 * Attributes that n8n adds to the panel, because they are new, have
 * no value until the user sets one. n8n fills in defaults when nothing was mapped before.
 */
async function refreshStoresNothing(
	stage: Stage,
	workflow: StoredWorkflow,
	name: string,
	checks: Checks,
): Promise<void> {
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	await editor.openPanel(name);
	await panel.refreshFields();
	await panel.field('custom_attributes.signed_up').scrollIntoViewIfNeeded();
	await editor.screenshot(`contact-fields-refreshed-${name}`);
	await saveWith(stage, panel, name, 'fields-5');
	checks.expectEqual(
		`Attributes that appear after a refresh (${name}) are not stored until a value is given`,
		(await readStored(stage, workflow, name)).value,
		{ external_id: 'fields-5' },
	);
	await panel.close();
}

/** n8n offers this for texts and toggles, not for lists. */
async function modelFillsInTruth(
	stage: Stage,
	workflow: StoredWorkflow,
	checks: Checks,
): Promise<void> {
	const { name } = ofModel;
	const editor = stage.editor!;
	const panel = new Panel(editor.page);
	await editor.openPanel(name);
	checks.expectEqual(
		'The panel of a tool offers Create or Update, but not Mirror',
		(await panel.options('operation')).filter((name) => /^(Create or Update|Mirror)$/.test(name)),
		['Create or Update'],
	);
	await panel.addField(`${labels.boolean}, true or false`);
	await panel.letModelFillIn('custom_attributes.newsletter');
	await editor.screenshot('contact-fields-of-a-tool');
	await saveWith(stage, panel, name, 'fields-6');
	const { value } = await readStored(stage, workflow, name);
	checks.expectMatch(
		'The model of an agent can fill in a boolean attribute',
		String(value?.['custom_attributes.newsletter']),
		/\$fromAI\('Attribute__Newsletter__true_or_false', ``, 'string'\)/,
	);
	await panel.close();
}

/** Types the External ID last, and waits until the editor has saved it with everything before. */
async function saveWith(
	{ editor }: Stage,
	panel: Panel,
	name: string,
	externalId: string,
): Promise<void> {
	const saved = editor!.savedWith(`"${externalId}"`, name);
	await panel.box('external_id').fill(externalId);
	await saved;
}

async function typeDate(panel: Panel, text: string): Promise<void> {
	const box = panel.box('custom_attributes.signed_up');
	await box.click();
	await box.fill(text);
	await box.press('Enter');
}

async function importNodes(
	{ api, credential }: Stage,
	wanted: Array<{ name: string; parameters: object; type: string }>,
): Promise<StoredWorkflow> {
	const { id, name: cachedResultName } = supportBot;
	const nodes = wanted.map(({ name, parameters, type }, index) => ({
		id: `node-${index}`,
		name,
		type: `n8n-nodes-chatbase.${type}`,
		typeVersion: 1,
		position: [240 + (index % 3) * 240, Math.floor(index / 3) * 240] as [number, number],
		parameters: {
			resource: 'contact',
			chatbotId: { __rl: true, mode: 'list', value: id, cachedResultName },
			...parameters,
		},
		credentials: { chatbaseV1Api: { id: '', name: '' } },
	}));
	const start = {
		id: 'start',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0] as [number, number],
		parameters: {},
	};
	const connected = wanted.filter(({ type }) => type === 'chatbase');
	const toNodes = connected.map(({ name }) => ({ node: name, type: 'main', index: 0 }));
	const connections = { Start: { main: [toNodes] } };
	return await api.importWorkflow(
		{ name: 'Contact fields', nodes: [start, ...nodes], connections },
		[credential],
	);
}

interface Creation {
	users: Array<{ custom_attributes: Record<string, unknown> }>;
}

interface MapperValue {
	value: Record<string, unknown> | null;
}

async function readStored(
	{ api }: Stage,
	{ id }: StoredWorkflow,
	node: string,
): Promise<MapperValue> {
	const { nodes } = await api.session.request<StoredWorkflow>('GET', `/rest/workflows/${id}`);
	return nodes.find(({ name }) => name === node)!.parameters.contactFields as MapperValue;
}

function sorted(record: Record<string, unknown> | null | undefined) {
	return Object.entries(record ?? {}).sort(([left], [right]) => left.localeCompare(right));
}
