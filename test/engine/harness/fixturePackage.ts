/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const credential = `
exports.FixtureApi = class FixtureApi {
	name = 'fixtureApi';
	displayName = 'Fixture API';
	properties = [
		{ displayName: 'API Key', name: 'apiKey', type: 'string', default: '' },
		{ displayName: 'Base URL', name: 'baseUrl', type: 'string', default: 'http://127.0.0.1' },
	];
	authenticate = {
		type: 'generic',
		properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
	};
	test = {
		request: { baseURL: '={{$credentials.baseUrl}}', url: '/things' },
		rules: [
			{ type: 'responseCode', properties: { value: 401, message: 'The key is refused' } },
			{ type: 'responseSuccessBody', properties: { key: 'things', value: undefined, message: 'Not the right service' } },
		],
	};
};
`;

const node = `
const { NodeConnectionTypes } = require('n8n-workflow');

async function onePlace(requestData) {
	const item = this.getItemIndex();
	try {
		const items = await this.makeRoutingRequest(requestData);
		return items.map((each) => ({ ...each, pairedItem: { item } }));
	} catch (error) {
		if (!this.continueOnFail()) throw error;
		return [{ json: { error: error.description }, pairedItem: { item } }];
	}
}

async function stream(items, response) {
	let text = '';
	await this.sendChunk('begin', this.getItemIndex());
	for await (const part of response.body) {
		text += part;
		if (this.isStreaming()) await this.sendChunk('item', this.getItemIndex(), String(part));
	}
	await this.sendChunk('end', this.getItemIndex());
	return [{ json: { text } }];
}

async function upload(request) {
	request.body = await this.helpers.getBinaryDataBuffer('file');
	return request;
}

async function download(items, response) {
	const binary = await this.helpers.prepareBinaryData(Buffer.from('a file'), 'a.txt');
	return [{ json: response.body, binary: { file: binary } }];
}

async function things(filter, paginationToken) {
	const { baseUrl } = await this.getCredentials('fixtureApi');
	const { things, next } = await this.helpers.httpRequestWithAuthentication.call(this, 'fixtureApi', {
		baseURL: baseUrl,
		url: '/things',
		qs: { filter, page: paginationToken, kind: this.getCurrentNodeParameter('thing', { extractValue: true }) },
	});
	return { results: things.map((thing) => ({ name: thing, value: thing })), paginationToken: next };
}

async function fields() {
	const { baseUrl } = await this.getCredentials('fixtureApi');
	return { fields: [{ id: baseUrl, displayName: 'Address', type: 'string', required: false, display: true, defaultMatch: false }] };
}

const send = { paginate: true };

exports.Fixture = class Fixture {
	description = {
		displayName: 'Fixture',
		name: 'fixture',
		group: ['transform'],
		version: 1,
		description: 'A node for the tests of the harness',
		defaults: { name: 'Fixture' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		credentials: [{ name: 'fixtureApi', required: true }],
		requestDefaults: { baseURL: '={{$credentials.baseUrl}}' },
		requestOperations: { pagination: onePlace },
		properties: [
			{ displayName: 'Resource', name: 'resource', type: 'options', default: 'thing', options: [{ name: 'Thing', value: 'thing' }] },
			{
				displayOptions: { show: { resource: ['thing'] } },
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				default: 'get',
				options: [
					{ name: 'Get', value: 'get', action: 'Get thing', routing: { send, request: { url: '=/thing/{{$parameter.thing}}' } } },
					{ name: 'List', value: 'list', action: 'List things', routing: { send, request: { url: '/things' }, output: { postReceive: [{ type: 'rootProperty', properties: { property: 'things' } }, { type: 'setKeyValue', properties: { thing: '={{$responseItem}}' } }] } } },
					{ name: 'Stream', value: 'stream', action: 'Stream things', routing: { request: { url: '/stream', encoding: 'stream' }, output: { postReceive: [stream] } } },
					{ name: 'Upload', value: 'upload', action: 'Upload thing', routing: { request: { method: 'POST', url: '/upload' }, send: { preSend: [upload] }, output: { postReceive: [download] } } },
				],
			},
			{
				displayName: 'Thing',
				name: 'thing',
				type: 'resourceLocator',
				default: { mode: 'id', value: '' },
				modes: [
					{ displayName: 'From List', name: 'list', type: 'list', typeOptions: { searchListMethod: 'things', searchable: true } },
					{ displayName: 'By ID', name: 'id', type: 'string' },
				],
			},
			{ displayName: 'Date', name: 'date', type: 'string', default: '', routing: { send: { type: 'query', property: 'date', value: '={{$value || undefined}}' } } },
			{ displayName: 'Needed', name: 'needed', type: 'string', required: true, default: 'yes' },
		],
	};
	methods = { listSearch: { things }, resourceMapping: { fields } };
};
`;

const trigger = `
const { NodeConnectionTypes } = require('n8n-workflow');

exports.FixtureTrigger = class FixtureTrigger {
	description = {
		displayName: 'Fixture Trigger',
		name: 'fixtureTrigger',
		group: ['trigger'],
		version: 1,
		description: 'A trigger for the tests of the harness',
		defaults: { name: 'Fixture Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'fixtureApi', required: true }],
		properties: [],
	};
	async poll() {
		const memory = this.getWorkflowStaticData('node');
		const { baseUrl } = await this.getCredentials('fixtureApi');
		const known = memory.known ?? 0;
		memory.known = known + 1;
		const { things } = await this.helpers.httpRequestWithAuthentication.call(this, 'fixtureApi', { baseURL: baseUrl, url: '/things' });
		if (known >= things.length) return null;
		return [[{ json: { thing: things[known], mode: this.getMode() } }]];
	}
};
`;

const manifest = {
	name: 'n8n-nodes-fixture',
	version: '1.0.0',
	n8n: {
		n8nNodesApiVersion: 1,
		nodes: ['dist/nodes/Fixture.node.js', 'dist/nodes/FixtureTrigger.node.js'],
		credentials: ['dist/credentials/FixtureApi.credentials.js'],
	},
};

const files = {
	'package.json': JSON.stringify(manifest),
	'dist/credentials/FixtureApi.credentials.js': credential,
	'dist/nodes/Fixture.node.js': node,
	'dist/nodes/Fixture.node.json': JSON.stringify({ categories: ['Sales'], resources: {} }),
	'dist/nodes/FixtureTrigger.node.js': trigger,
};

/** Writes a small built package to a temporary folder, for the tests of the harness itself. */
export function writeFixturePackage(): { folder: string; remove: () => void } {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-fixture-'));
	for (const [path, content] of Object.entries(files)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		writeFileSync(join(folder, path), content);
	}
	symlinkSync(resolve(__dirname, '../../../node_modules'), join(folder, 'node_modules'));
	return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
