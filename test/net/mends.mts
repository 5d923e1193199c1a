/** Takes mends of the history back, one at a time, and looks whether a test falls. README.md says how to run it. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import type { ProjectCopy } from './copy.mjs';
import { type Mend, mends } from './mendList.mjs';
import { blockAt, executes } from './reach.mjs';
import { Results } from './results.mjs';
import { type Fault, Laboratory, ranked, report } from './trial.mjs';

interface MendResult {
	readonly id: string;
	readonly file: string;
	/** `gone`: no code is as the mend was, so that it needs a new place, or its rule has gone. */
	readonly state: 'fell' | 'held' | 'timed out' | 'gone';
	readonly suite?: string;
	readonly test?: string;
	readonly passed?: number;
}

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		name: { type: 'string', default: 'latest' },
		/** Seconds of the processor that suites may take until a mend counts as not held by a test. */
		budget: { type: 'string', default: '60' },
		/** Tries those again that no test holds, or that are gone. */
		again: { type: 'boolean', default: false },
		'start-over': { type: 'boolean', default: false },
		/** Runs only the suites that the list names, so that nobody has to find out what each suite executes. */
		named: { type: 'boolean', default: false },
		/** Says which ones have a place in the code, and runs nothing. */
		places: { type: 'boolean', default: false },
		/** Shows the results there are. */
		show: { type: 'boolean', default: false },
	},
});

const chosen = mends.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const results = new Results<MendResult>('mends', values.name, {
	startsOver: values['start-over'],
});
if (!values.show) await runAll();
if (!values.places) {
	const shown = tableOf(results.all);
	writeFileSync(results.path.replace('.jsonl', '.md'), `${shown}\n`);
	console.log(shown);
}

async function runAll(): Promise<void> {
	const laboratory = new Laboratory();
	const waiting = chosen.filter(({ id }) => {
		const known = results.get(id);
		return !known || (values.again && ['held', 'gone'].includes(known.state));
	});
	if (values.places) {
		const gone = chosen.filter((mend) => !faultOf(mend, laboratory.copy));
		console.log(`${chosen.length - gone.length} of ${chosen.length} have a place.`);
		gone.forEach(({ id, file, from }) => console.log(`gone: ${id} · ${file} · ${from}`));
		return;
	}

	for (const [index, mend] of waiting.entries()) {
		const result = await resultOf(mend, laboratory);
		results.add(result);
		const { id, state, suite = '' } = result;
		report(`${index + 1} of ${waiting.length}: ${state} · ${id} · ${suite}`);
	}
	laboratory.suites.stop();
}

async function resultOf(mend: Mend, laboratory: Laboratory): Promise<MendResult> {
	const { id } = mend;
	const fault = faultOf(mend, laboratory.copy);
	if (!fault) return { id, file: mend.file, state: 'gone' };

	const { file } = fault;
	const sound: string[] = [];
	for (const suite of mend.suites) {
		if (await laboratory.passes(suite)) sound.push(suite);
	}
	const named = await laboratory.try(fault, sound, Number(values.budget));
	if (named.state !== 'held' || values.named) return { id, file, ...named };

	const others = await laboratory.try(
		fault,
		(await othersFor(mend, fault, laboratory)).map(({ suite }) => suite),
		Number(values.budget),
	);
	return { id, file, ...others, passed: named.passed + others.passed };
}

/** The other suites that execute the code. */
async function othersFor(mend: Mend, { file, position }: Place, laboratory: Laboratory) {
	const block = blockAt(file, laboratory.copy.sources.get(file)!, position);
	const reach = await laboratory.reach();
	const reaching = reach.filter((one) => executes(one, block) && !mend.suites.includes(one.suite));
	return ranked(reaching, file, results.all);
}

interface Place extends Fault {
	/** Where the fault begins. */
	readonly position: number;
}

/** The file with the fault, and where it begins. Undefined if the code of the mend stands nowhere, or more than once. */
function faultOf({ file, from, to }: Mend, { sources }: ProjectCopy): Place | undefined {
	const pattern = patternOf(from);
	const placeIn = (name: string): Place | undefined => {
		const text = sources.get(name) ?? '';
		const [found, ...more] = text.matchAll(pattern);
		if (!found || more.length > 0) return undefined;

		const position = found.index;
		const end = position + found[0].length;
		return { file: name, position, text: text.slice(0, position) + to + text.slice(end) };
	};

	const here = placeIn(file);
	if (here) return here;
	const [only, ...others] = [...sources.keys()].flatMap((name) => placeIn(name) ?? []);
	return others.length === 0 ? only : undefined;
}

/** Finds code whatever its spaces, line breaks and last commas are. */
function patternOf(code: string): RegExp {
	const tokens = code.match(/[\w$]+|[^\w\s$]/g) ?? [];
	const escaped = tokens.map((token) => {
		const plain = token.replace(/[^\w\s]/g, '\\$&');
		return /^[)\]}]$/.test(token) ? `,?\\s*${plain}` : plain;
	});
	return new RegExp(escaped.join('\\s*'), 'g');
}

function tableOf(known: MendResult[]): string {
	const faults = new Map(mends.map(({ id, fault }) => [id, fault]));
	const counts = ['fell', 'timed out', 'held', 'gone'].map((state) => {
		const { length } = known.filter((result) => result.state === state);
		return `${state}: ${length}`;
	});
	const rows = known
		.filter(({ id }) => faults.has(id))
		.map(({ id, state, suite = '', test = '' }) => {
			const words = test.replaceAll('|', '\\|').replaceAll('\n', ' ');
			return `| ${id} | ${faults.get(id)} | ${state} | ${suite.replace('test/', '')} | ${words} |`;
		});
	return [
		`${known.length} mends were taken back. ${counts.join(', ')}.`,
		'',
		'| mend | fault without it | a test | suite | its first test that fell |',
		'| --- | --- | --- | --- | --- |',
		...rows,
	].join('\n');
}
