import { createHash } from 'node:crypto';
import ts from 'typescript';

import { blockOf, parse } from './reach.mjs';

/** A small fault in one file. */
export interface Mutant {
	/**
	 * A number made of the file's folder, the code around and the change. It stays the same while this code stays as it is, so
	 * another version of the project draws the same mutants where it has the same code.
	 */
	readonly id: string;
	readonly folder: string;
	readonly file: string;
	/** The function that the change is in. */
	readonly within: string;
	/** The line that changes, before and after. */
	readonly before: string;
	readonly after: string;
	readonly block: string;
	readonly text: string;
}

/** What is put in place of the code from `start` to `end`. */
interface Change {
	readonly start: number;
	readonly end: number;
	readonly replacement: string;
}

const operators = new Map<ts.SyntaxKind, string>([
	[ts.SyntaxKind.LessThanToken, '<='],
	[ts.SyntaxKind.LessThanEqualsToken, '<'],
	[ts.SyntaxKind.GreaterThanToken, '>='],
	[ts.SyntaxKind.GreaterThanEqualsToken, '>'],
	[ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
	[ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
	[ts.SyntaxKind.AmpersandAmpersandToken, '||'],
	[ts.SyntaxKind.BarBarToken, '&&'],
	[ts.SyntaxKind.MinusToken, '+'],
	[ts.SyntaxKind.AsteriskToken, '/'],
	[ts.SyntaxKind.SlashToken, '*'],
]);

const methods = new Map([
	['some', 'every'],
	['every', 'some'],
	['find', 'findLast'],
	['min', 'max'],
	['max', 'min'],
	['ceil', 'floor'],
	['floor', 'ceil'],
]);

/** Methods without which a list is longer, or in another order. */
const removedMethods = new Set(['filter', 'reverse', 'sort', 'slice', 'trim', 'toLowerCase']);

/** The faults that one node of the code can get. */
function changesOf(node: ts.Node): Change[] {
	const replace = (part: ts.Node, replacement: string): Change => ({
		start: part.getStart(),
		end: part.end,
		replacement,
	});

	if (ts.isIfStatement(node)) {
		return ['true', 'false'].map((value) => replace(node.expression, value));
	}
	if (ts.isConditionalExpression(node)) {
		return ['true', 'false'].map((value) => replace(node.condition, value));
	}
	if (ts.isBinaryExpression(node)) {
		if (node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
			return [replace(node, node.left.getText())];
		}
		const other = operators.get(node.operatorToken.kind);
		return other ? [replace(node.operatorToken, other)] : [];
	}
	if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
		return [replace(node, node.operand.getText())];
	}
	if (node.kind === ts.SyntaxKind.TrueKeyword) return isType(node) ? [] : [replace(node, 'false')];
	if (node.kind === ts.SyntaxKind.FalseKeyword) return isType(node) ? [] : [replace(node, 'true')];
	if (ts.isExpressionStatement(node)) return [replace(node, ';')];
	if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
		const { name, expression } = node.expression;
		const other = methods.get(name.text);
		if (other) return [replace(name, other)];
		if (removedMethods.has(name.text)) return [replace(node, expression.getText())];
	}
	return [];
}

function isType(node: ts.Node): boolean {
	return ts.isLiteralTypeNode(node.parent);
}

/** The function around a node, or the constant of the file. */
function nameOf(node: ts.Node): string {
	for (let around = node; !ts.isSourceFile(around); around = around.parent) {
		if (ts.isFunctionDeclaration(around) || ts.isMethodDeclaration(around)) {
			return around.name?.getText() ?? '';
		}
		const isOfFile = ts.isSourceFile(around.parent?.parent?.parent ?? around);
		if (ts.isVariableDeclaration(around) && isOfFile) return around.name.getText();
	}
	return '';
}

/** All faults that a file can get. */
export function mutantsOf(folder: string, file: string, text: string): Mutant[] {
	const mutants: Mutant[] = [];
	const seen = new Map<string, number>();

	const add = (node: ts.Node, { start, end, replacement }: Change) => {
		const lineStart = text.lastIndexOf('\n', start - 1) + 1;
		const lineEnd = text.indexOf('\n', end);
		const before = inOneLine(text.slice(lineStart, lineEnd));
		const after = inOneLine(text.slice(lineStart, start) + replacement + text.slice(end, lineEnd));

		const within = nameOf(node);
		const content = `${folder}\n${within}\n${before}\n${after}`;
		const repeated = seen.get(content) ?? 0;
		seen.set(content, repeated + 1);
		mutants.push({
			id: numberOf(`${content}\n${repeated}`).slice(0, 12),
			folder,
			file,
			within,
			before,
			after,
			block: blockOf(file, node),
			text: text.slice(0, start) + replacement + text.slice(end),
		});
	};

	const visit = (node: ts.Node) => {
		for (const change of changesOf(node)) add(node, change);
		ts.forEachChild(node, visit);
	};
	visit(parse(file, text));
	return mutants;
}

function inOneLine(text: string): string {
	return text.trim().replace(/\s+/g, ' ');
}

function numberOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/** So many mutants by a seed, in an order that depends on nothing but the seed and the mutants themselves. */
export function draw(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
	const placeOf = ({ id }: Mutant) => numberOf(`${seed} ${id}`);
	return [...mutants].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1)).slice(0, count);
}
