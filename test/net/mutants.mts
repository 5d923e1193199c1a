/** Puts small faults into the node, one at a time, and looks whether a test falls. README.md says how to run it. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import type { ProjectCopy } from './copy.mjs';
import { draw, type Mutant, mutantsOf } from './draw.mjs';
import { executes } from './reach.mjs';
import { Results } from './results.mjs';
import { Laboratory, ranked, report } from './trial.mjs';

/** The folders that decide about data, in which mutants are drawn. */
const folders = {
	values: 'nodes/Chatbase/values/',
	sync: 'nodes/Chatbase/sync/',
	'contact/plan': 'nodes/Chatbase/resources/contact/plan/',
	'source/plan': 'nodes/Chatbase/resources/source/plan/',
	api: 'nodes/Chatbase/api/',
};

interface MutantResult extends Pick<Mutant, 'id' | 'file' | 'within' | 'before' | 'after'> {
	readonly folder: string;
	/** `unreached` survives, too: no suite executes the code. */
	readonly state: 'killed' | 'survived' | 'timed out' | 'unreached';
	/** The suite and the test that fall. */
	readonly suite?: string;
	readonly test?: string;
	/** How many suites have passed, and how many execute the code. */
	readonly passed: number;
	readonly reaching: number;
}

const { values } = parseArgs({
	options: {
		name: { type: 'string', default: 'latest' },
		compare: { type: 'string' },
		count: { type: 'string', default: '24' },
		seed: { type: 'string', default: '1' },
		folder: { type: 'string' },
		/** Seconds of the processor that suites may take until a mutant counts as a survivor. */
		budget: { type: 'string', default: '40' },
		/** Tries survivors again. */
		again: { type: 'boolean', default: false },
		'start-over': { type: 'boolean', default: false },
		/** Shows the results there are. */
		show: { type: 'boolean', default: false },
	},
});

const states = { fell: 'killed', held: 'survived', 'timed out': 'timed out' } as const;

const results = new Results<MutantResult>('mutants', values.name, {
	startsOver: values['start-over'],
});
if (!values.show) await runAll();
const shown = tableOf(results.all);
writeFileSync(results.path.replace('.jsonl', '.md'), `${shown}\n`);
console.log(shown);
if (values.compare) console.log(comparison(new Results<MutantResult>('mutants', values.compare)));

async function runAll(): Promise<void> {
	const laboratory = new Laboratory();
	const drawn = Object.entries(folders)
		.filter(([folder]) => !values.folder || folder === values.folder)
		.flatMap(([folder, path]) => drawIn(laboratory.copy, folder, path));
	const waiting = drawn.filter(({ id }) => {
		const known = results.get(id);
		return !known || (values.again && known.state === 'survived');
	});

	// A run that was stopped has mutants of each folder.
	const placeOf = (mutant: Mutant) =>
		drawn.filter(({ folder }) => folder === mutant.folder).indexOf(mutant);
	waiting.sort((a, b) => placeOf(a) - placeOf(b));
	for (const [index, mutant] of waiting.entries()) {
		const result = await resultOf(mutant, laboratory);
		results.add(result);
		const { state, file, before, suite = '' } = result;
		report(`${index + 1} of ${waiting.length}: ${state} · ${file} · ${before} · ${suite}`);
	}
	laboratory.suites.stop();
}

function drawIn({ sources }: ProjectCopy, folder: string, path: string): Mutant[] {
	const mutants = [...sources]
		.filter(([file]) => file.startsWith(path))
		.flatMap(([file, text]) => mutantsOf(folder, file, text));
	return draw(mutants, Number(values.count), Number(values.seed));
}

async function resultOf(mutant: Mutant, laboratory: Laboratory): Promise<MutantResult> {
	const { id, folder, file, within, before, after, block } = mutant;
	const reach = await laboratory.reach();
	const reaching = reach.filter((one) => executes(one, block));
	const result = { id, folder, file, within, before, after, reaching: reaching.length };
	if (reaching.length === 0) return { ...result, state: 'unreached', passed: 0 };

	const suites = ranked(reaching, file, results.all).map(({ suite }) => suite);
	const { state, ...trial } = await laboratory.try(mutant, suites, Number(values.budget));
	return { ...result, ...trial, state: states[state] };
}

function survives({ state }: MutantResult): boolean {
	return state === 'survived' || state === 'unreached';
}

function nameOf({ file, within, before, after }: MutantResult): string {
	const place = [file.replace('nodes/Chatbase/', ''), within].filter(Boolean).join(' ');
	return `- ${place}: \`${before}\` → \`${after}\``;
}

function tableOf(known: MutantResult[]): string {
	const rows = Object.keys(folders).map((folder) => {
		const all = known.filter((result) => result.folder === folder);
		const survivors = all.filter(survives).length;
		const killed = all.length - survivors;
		const percent = all.length > 0 ? Math.round((100 * killed) / all.length) : 0;
		return `| ${folder} | ${killed} | ${survivors} | ${all.length} | ${percent}% |`;
	});
	return [
		'| folder | killed | survived | total | score |',
		'| --- | --- | --- | --- | --- |',
		...rows,
		'',
		'Survivors, with how many of the suites that execute the code have run:',
		'',
		...known.filter(survives).map((result) => {
			const { passed, reaching } = result;
			return `${nameOf(result)} (${passed} of ${reaching})`;
		}),
	].join('\n');
}

function comparison(earlier: Results<MutantResult>): string {
	const fresh = results.all.filter((result) => {
		const before = earlier.get(result.id);
		return survives(result) && !(before && survives(before));
	});
	return [`\nSurvive now, but not in "${values.compare}":\n`, ...fresh.map(nameOf)].join('\n');
}
