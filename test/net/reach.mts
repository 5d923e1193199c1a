import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';

import type { ProjectCopy } from './copy.mjs';
import type { Suites } from './suites.mjs';

/** A suite that passes without a fault. */
export interface Reach {
	readonly suite: string;
	/** Time of the processor in milliseconds. */
	readonly milliseconds: number;
	/** The blocks that it executes, as `blockOf` names them. */
	readonly blocks: ReadonlySet<string>;
}

/** Whether a suite executes a block. What stands outside of functions is executed with any function of the file. */
export function executes({ blocks }: Pick<Reach, 'blocks'>, block: string): boolean {
	if (!block.endsWith(' 0')) return blocks.has(block);
	return [...blocks].some((name) => name.startsWith(block.slice(0, -1)));
}

/** What notes each block once for each suite. */
const notebook = `
function noteReached(block: string) {
	const path = process.env.NET_NOTES;
	const shared = globalThis as any;
	if (shared.netNotes?.path !== path) shared.netNotes = { path, seen: new Set() };
	if (!path || shared.netNotes.seen.has(block)) return;
	shared.netNotes.seen.add(block);
	require('node:fs').appendFileSync(path, block + '\\n');
}
`;

export function parse(file: string, text: string): ts.SourceFile {
	return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
}

/** Code that is executed from its start: a body or the expression of an arrow function. */
function isBlock(node: ts.Node): boolean {
	return ts.isBlock(node) || (ts.isArrowFunction(node.parent) && node.parent.body === node);
}

/** The innermost block around a node, such as `nodes/Chatbase/values/json.ts 120`; position 0 is the file. */
export function blockOf(file: string, node: ts.Node): string {
	let around = node;
	while (!ts.isSourceFile(around) && !isBlock(around)) around = around.parent;
	return `${file} ${ts.isSourceFile(around) ? 0 : around.getStart()}`;
}

/** The innermost block around a position of a file. */
export function blockAt(file: string, text: string, position: number): string {
	const innermost = (node: ts.Node): ts.Node => {
		const inner = node
			.getChildren()
			.find((child) => child.getStart() <= position && position < child.end);
		return inner ? innermost(inner) : node;
	};
	return blockOf(file, innermost(parse(file, text)));
}

/** The source with a note at the start of each block. */
function withNotes(file: string, text: string): string {
	const insertions: Array<{ position: number; inserted: string }> = [];
	const visit = (node: ts.Node) => {
		if (!ts.isSourceFile(node) && isBlock(node)) {
			const call = `noteReached(${JSON.stringify(blockOf(file, node))})`;
			if (ts.isBlock(node)) {
				insertions.push({ position: node.getStart() + 1, inserted: `${call};` });
			} else {
				insertions.push({ position: node.getStart(), inserted: `(${call}, ` });
				insertions.push({ position: node.end, inserted: ')' });
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(parse(file, text));

	let noted = text;
	for (const { position, inserted } of insertions.sort((a, b) => b.position - a.position)) {
		noted = noted.slice(0, position) + inserted + noted.slice(position);
	}
	return `${noted}\nnoteReached(${JSON.stringify(`${file} 0`)});\n${notebook}`;
}

/** Runs each suite once without a fault, and notes the blocks of the node that it executes. */
export async function reachOf(
	copy: ProjectCopy,
	suites: Suites,
	report: (line: string) => void,
): Promise<Reach[]> {
	for (const [file, text] of copy.sources) copy.write(file, withNotes(file, text));
	suites.forgetBuild();

	const reached: Reach[] = [];
	const failed: Reach[] = [];
	for (const [index, suite] of suites.all.entries()) {
		if (index % 20 === 0) report(`${index} of ${suites.all.length}`);
		// The built nodes stay loaded from one suite to the next, and begin anew with another file.
		const notes = join(tmpdir(), `net-notes-${process.pid}-${index}`);
		const { passed, milliseconds = 0 } = await suites.run(suite, notes);
		const lines = existsSync(notes) ? readFileSync(notes, 'utf8').split('\n') : [];
		rmSync(notes, { force: true });
		const blocks = new Set(lines.filter(Boolean));
		(passed ? reached : failed).push({ suite, milliseconds, blocks });
	}

	for (const file of copy.sources.keys()) copy.restore(file);
	suites.forgetBuild();

	// The notes take time, which some suites limit.
	for (const reach of failed) {
		const { passed, milliseconds } = await suites.run(reach.suite);
		if (passed) reached.push({ ...reach, milliseconds });
		else report(`left out, since it fails without a fault: ${reach.suite}`);
	}
	return reached;
}
