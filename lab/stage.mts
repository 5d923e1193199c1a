import { addDemoData } from '../service/core/demoData.js';
import { startService, type ServiceOptions, type SimulatedService } from '../service/index.js';
import { Api, type Credential } from './api.mjs';
import { Editor, findChromium } from './browser.mjs';
import { startN8n, type N8n, type StartOptions } from './instance.mjs';
import { installNode } from './package.mjs';

export const supportBot = { id: 'support-bot', name: 'Support Bot' };
export const contactCount = 250;

/** The servers and clients of the checks. Checks share the data, so each uses different names. */
export interface Stage {
	service: SimulatedService;
	n8n: N8n;
	api: Api;
	/** One for the service. */
	credential: Credential;
	/** The editor in a browser; undefined without a Chromium. */
	editor: Editor | undefined;
	/** Whether to keep a picture of each panel, which takes minutes. */
	takesPictures?: boolean;
	/** Ends all of it. */
	close(): Promise<void>;
}

export interface StageOptions extends StartOptions {
	/** Whether a browser opens the editor, if there is a Chromium. True without it. */
	withBrowser?: boolean;
}

/** Starts the simulated service, n8n with the packed node in it, and a browser with a logged-in owner. */
export async function setTheStage(
	{ withBrowser = true, ...options }: StageOptions = {},
	serviceOptions: ServiceOptions = {},
): Promise<Stage> {
	const stage: Partial<Stage> = {};
	const close = async () => {
		await stage.editor?.close();
		await stage.n8n?.stop();
		await stage.service?.close();
	};
	try {
		stage.service = await startService({ allowsLocalActions: true, ...serviceOptions });
		addDemoData(stage.service.store, contactCount);
		stage.n8n = await startN8n({ prepare: installNode, ...options });
		stage.api = new Api(stage.n8n.baseUrl);
		await stage.api.session.setUpOwner();
		stage.credential = await saveCredential(stage.api, stage.service);
		const opensEditor = withBrowser && findChromium();
		stage.editor = opensEditor ? await Editor.open(stage.n8n.baseUrl) : undefined;
		return Object.assign(stage, { close }) as Stage;
	} catch (error) {
		await close();
		throw error;
	}
}

/** Saves the service's key. */
export async function saveCredential(api: Api, service: SimulatedService): Promise<Credential> {
	const { apiKey, baseUrl } = service;
	return await api.createCredential('chatbaseV1Api', 'Simulated service', { apiKey, baseUrl });
}
