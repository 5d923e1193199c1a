const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
const { join } = require('node:path');
const { dest, parallel, series, src } = require('gulp');
const ts = require('typescript');

/** What `tsc` leaves behind and n8n reads from disk: icons, codex files and output schemas. */
const copy = (folder, patterns) => () =>
	src(
		patterns.map((pattern) => `${folder}/${pattern}`),
		{ encoding: false },
	).pipe(dest(`dist/${folder}`));

/** As the sources have it: the four spaces of `tsc` make the package larger. Texts that span lines keep them. */
function indentedWithTabs(code) {
	const texts = [];
	const source = ts.createSourceFile('', code, ts.ScriptTarget.Latest);
	(function visit(node) {
		const { FirstLiteralToken, LastTemplateToken } = ts.SyntaxKind;
		if (node.kind >= FirstLiteralToken && node.kind <= LastTemplateToken) texts.push(node);
		ts.forEachChild(node, visit);
	})(source);
	return code.replace(/^( {4})+/gm, (spaces, _level, at) =>
		texts.some((text) => text.getStart(source) < at && at < text.end)
			? spaces
			: '\t'.repeat(spaces.length / 4),
	);
}

/** `tsc` sets all exports to undefined before it sets them; the lines cost 1% of the package. */
function withoutEmptyExports(code) {
	return code.replace(/(?<="__esModule", { value: true }\);\n)exports\..* = void 0;\n/, '');
}

/** What each kind of file is rewritten to; n8n reads both as before. */
const smaller = {
	js: (code) => indentedWithTabs(withoutEmptyExports(code)),
	json: (text) => JSON.stringify(JSON.parse(text)),
};

async function shrink() {
	const files = await readdir('dist', { recursive: true });
	for (const file of files) {
		const rewrite = smaller[/\.(\w+)$/.exec(file)?.[1]];
		const path = join('dist', file);
		if (rewrite) await writeFile(path, rewrite(await readFile(path, 'utf8')));
	}
}

exports.clean = () => rm('dist', { recursive: true, force: true });
exports.assets = series(
	parallel(copy('icons', ['*.svg']), copy('nodes', ['**/*.node.json', '**/__schema__/**/*.json'])),
	shrink,
);
