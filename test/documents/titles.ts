/* eslint-disable @n8n/community-nodes/no-restricted-imports */
/** The titles and next steps of the errors that the node makes itself, read from its code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface OwnError {
	title: string;
	/** Empty if the code makes it of values alone. */
	nextStep: string;
	/** Below `nodes/`. */
	file: string;
}

/** Stands for what the code fills in. */
const value = '…';

/** Errors of the node, in the order of its files; a title of two cases is two errors. */
export function ownErrors(folder: string): OwnError[] {
	return readdirSync(folder, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.ts'))
		.sort()
		.flatMap((file) => errorsOf(file, readFileSync(join(folder, file), 'utf8')));
}

function errorsOf(file: string, text: string): OwnError[] {
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
	const errors: OwnError[] = [];

	const visit = (node: ts.Node) => {
		const made = partsOf(node);
		if (made) {
			const [nextStep = ''] = textsOf(made.nextStep) ?? [];
			for (const title of textsOf(made.title) ?? []) errors.push({ title, nextStep, file });
		}
		ts.forEachChild(node, visit);
	};
	visit(source);
	return errors;
}

interface Parts {
	title: ts.Expression;
	nextStep?: ts.Expression;
}

/** The title and the next step of `item.error(title, nextStep)` or `error(title, nextStep)`, of `{ title, sentences }`, or of `{ title, nextStep }`. */
function partsOf(node: ts.Node): Parts | undefined {
	if (ts.isCallExpression(node)) {
		const { expression } = node;
		if (expression.getText() === 'refusing') {
			const [, title, nextStep] = node.arguments;
			return { title, nextStep };
		}
		if (!/(^|\.)error$/.test(expression.getText())) return;
		const [title, nextStep] = node.arguments;
		return title && nextStep && { title, nextStep };
	}
	if (ts.isArrayLiteralExpression(node)) {
		const isAmongTexts = ts.findAncestor(node, (one) => /^texts = \{/.test(one.getText()));
		const [title, nextStep] = node.elements;
		return isAmongTexts && title && nextStep ? { title, nextStep } : undefined;
	}
	if (!ts.isObjectLiteralExpression(node)) return;
	const title = propertyOf(node, 'title');
	const nextStep = propertyOf(node, 'nextStep') ?? propertyOf(node, 'sentences');
	return title && nextStep && { title, nextStep };
}

function propertyOf(node: ts.Expression | undefined, name: string): ts.Expression | undefined {
	if (!node || !ts.isObjectLiteralExpression(node)) return undefined;
	const property = node.properties.find((one) => one.name?.getText() === name);
	if (!property) return undefined;
	if (ts.isShorthandPropertyAssignment(property)) return property.name;
	return ts.isPropertyAssignment(property) ? property.initializer : undefined;
}

/** The texts that an expression can be; undefined if it is nothing but a value. */
function textsOf(node: ts.Expression | undefined): string[] | undefined {
	if (!node) return undefined;
	if (ts.isStringLiteralLike(node)) return [node.text];
	if (ts.isParenthesizedExpression(node)) return textsOf(node.expression);
	if (ts.isArrayLiteralExpression(node)) return textsOf(node.elements[0]);
	if (ts.isConditionalExpression(node)) {
		const cases = [textsOf(node.whenTrue), textsOf(node.whenFalse)].flatMap((one) => one ?? []);
		return cases.length > 0 ? cases : undefined;
	}
	if (ts.isIdentifier(node)) return textsOf(constantOf(node));
	if (!ts.isTemplateExpression(node)) return undefined;

	const { head, templateSpans } = node;
	return templateSpans.reduce(
		(starts, { expression, literal }) => {
			const inner = textsOf(expression) ?? [value];
			return starts.flatMap((start) => inner.map((text) => start + text + literal.text));
		},
		[head.text],
	);
}

/** What a constant of the same file is, looked for from the inside to the outside. */
function constantOf(name: ts.Identifier): ts.Expression | undefined {
	for (let scope: ts.Node = name; ; scope = scope.parent) {
		if (ts.isBlock(scope) || ts.isSourceFile(scope) || ts.isCaseClause(scope)) {
			const found = scope.statements
				.filter(ts.isVariableStatement)
				.flatMap(({ declarationList }) => [...declarationList.declarations])
				.find((one) => one.name.getText() === name.text);
			if (found) return found.initializer;
		}
		if (ts.isSourceFile(scope)) return undefined;
	}
}
