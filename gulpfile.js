const { rm, writeFile } = require('node:fs/promises');
const { dest, parallel, src } = require('gulp');
const { name, version } = require('./package.json');

/** What `tsc` leaves behind and n8n reads from disk: icons, codex files and output schemas. */
const copy = (folder, patterns) => () =>
	src(
		patterns.map((pattern) => `${folder}/${pattern}`),
		{ encoding: false },
	).pipe(dest(`dist/${folder}`));

/** `tsc` copies the whole file, of which the nodes read only their name and version. */
const packageFile = () => writeFile('dist/package.json', JSON.stringify({ name, version }));

exports.clean = () => rm('dist', { recursive: true, force: true });
exports.assets = parallel(
	copy('icons', ['*.svg']),
	copy('nodes', ['**/*.node.json', '**/__schema__/**/*.json']),
	packageFile,
);
