const { rm, writeFile } = require('node:fs/promises');
const { Transform } = require('node:stream');
const { dest, parallel, src } = require('gulp');
const { name, version } = require('./package.json');

/** Writes JSON in one line. */
const inOneLine = () =>
	new Transform({
		objectMode: true,
		transform(file, _, done) {
			file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents)));
			done(null, file);
		},
	});

/** What `tsc` leaves behind and n8n reads from disk: icons, codex files and output schemas. */
const icons = () => src('icons/*.svg', { encoding: false }).pipe(dest('dist/icons'));
const descriptions = () =>
	src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'])
		.pipe(inOneLine())
		.pipe(dest('dist/nodes'));

/** `tsc` copies the whole file, of which the nodes read only their name and version. */
const packageFile = () => writeFile('dist/package.json', JSON.stringify({ name, version }));

exports.clean = () => rm('dist', { recursive: true, force: true });
exports.assets = parallel(icons, descriptions, packageFile);
