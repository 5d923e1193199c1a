/* eslint-disable @n8n/community-nodes/no-restricted-imports, @n8n/community-nodes/no-restricted-globals */
/** What keeps the code readable: short files and functions, few branches, and imports in one direction. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import * as ts from 'typescript';

const project = resolve(__dirname, '../..');
const maxTotalLines = 14_200;
const maxFiles = 125;
const maxLines = 350;
const maxFunctionLines = 55;
const maxComplexity = 15;

/** A folder imports from itself and from those before it. */
const floors = [
	'nodes/Chatbase/values',
	'nodes/Chatbase/api',
	'nodes/Chatbase/execution',
	'nodes/Chatbase/panel',
	'nodes/Chatbase/sync',
	'nodes/Chatbase/resources',
	'nodes/Chatbase/methods',
	'nodes/Chatbase',
	'nodes/ChatbaseTrigger',
	'credentials',
];

const branches = new Set([
	ts.SyntaxKind.CaseClause,
	ts.SyntaxKind.CatchClause,
	ts.SyntaxKind.ConditionalExpression,
	ts.SyntaxKind.DoStatement,
	ts.SyntaxKind.ForInStatement,
	ts.SyntaxKind.ForOfStatement,
	ts.SyntaxKind.ForStatement,
	ts.SyntaxKind.IfStatement,
	ts.SyntaxKind.WhileStatement,
]);
const shortCircuits = new Set([
	ts.SyntaxKind.AmpersandAmpersandToken,
	ts.SyntaxKind.BarBarToken,
	ts.SyntaxKind.QuestionQuestionToken,
]);

/** The cyclomatic complexity of a function, without those inside it. */
function complexityOf(code: ts.Node): number {
	let paths = 1;
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node)) return;
		const isBranch =
			branches.has(node.kind) ||
			(ts.isBinaryExpression(node) && shortCircuits.has(node.operatorToken.kind));
		if (isBranch) paths++;
		ts.forEachChild(node, visit);
	};
	ts.forEachChild(code, visit);
	return paths;
}

interface FunctionSize {
	name: string;
	lines: number;
	complexity: number;
}

function nameOf({ name, parent }: ts.FunctionLikeDeclaration): string {
	if (name) return name.getText();
	const isNamed = ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent);
	return isNamed ? parent.name.getText() : 'a function without a name';
}

function functionsOf(source: ts.SourceFile): FunctionSize[] {
	const functions: FunctionSize[] = [];
	const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line + 1;
	const visit = (node: ts.Node): void => {
		if (ts.isFunctionLike(node) && 'body' in node && node.body) {
			const start = lineAt(node.getStart(source));
			const lines = lineAt(node.end) - start + 1;
			const complexity = complexityOf(node);
			functions.push({ name: `${source.fileName}: ${nameOf(node)}`, lines, complexity });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return functions;
}

/** The files of the project that a file imports from, types included. */
function importsOf(source: ts.SourceFile): string[] {
	return ts
		.preProcessFile(source.text)
		.importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
		.map(({ fileName }) => relative(project, resolve(project, dirname(source.fileName), fileName)))
		.map((path) => [path, `${path}.ts`, `${path}/index.ts`].find((file) => existing.has(file)))
		.filter((file) => file !== undefined);
}

const sources = ['credentials', 'nodes']
	.flatMap((folder) =>
		readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file),
		),
	)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => {
		const text = readFileSync(join(project, file), 'utf8');
		return ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	});
const existing = new Set(sources.map(({ fileName }) => fileName));
const linesOf = ({ text }: ts.SourceFile) => text.split('\n').length - 1;
const imports = new Map(sources.map((source) => [source.fileName, importsOf(source)]));
const functions = sources.flatMap(functionsOf);

/** Each circle of imports once, as a path that ends where it began. */
function importCircles(): string[] {
	const done = new Set<string>();
	const circles: string[] = [];
	const follow = (file: string, path: string[]): void => {
		if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
		if (done.has(file) || path.includes(file)) return;
		for (const next of imports.get(file) ?? []) follow(next, [...path, file]);
		done.add(file);
	};
	for (const file of imports.keys()) follow(file, []);
	return circles;
}

const floorOf = (file: string) =>
	floors.indexOf(floors.filter((floor) => file.startsWith(`${floor}/`)).at(-1)!);

it('no folder imports from one above it', () => {
	const upwards = [...imports].flatMap(([file, imported]) =>
		imported.filter((other) => floorOf(other) > floorOf(file)).map((other) => `${file} → ${other}`),
	);
	expect(upwards).toEqual([]);
});

it('no file imports itself by way of others', () => {
	expect(importCircles()).toEqual([]);
});

it(`no file has more than ${maxLines} lines`, () => {
	const long = sources.filter((source) => linesOf(source) > maxLines);
	expect(long.map(({ fileName }) => fileName)).toEqual([]);
});

it(`no function has more than ${maxFunctionLines} lines`, () => {
	expect(functions.filter(({ lines }) => lines > maxFunctionLines)).toEqual([]);
});

it(`no function has more than ${maxComplexity} paths`, () => {
	expect(functions.filter(({ complexity }) => complexity > maxComplexity)).toEqual([]);
});

it('the package stays small', () => {
	expect(sources.length).toBeLessThanOrEqual(maxFiles);
	const total = sources.reduce((sum, source) => sum + linesOf(source), 0);
	expect(total).toBeLessThanOrEqual(maxTotalLines);
});
