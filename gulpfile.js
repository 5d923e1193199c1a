const { rm } = require('node:fs/promises');
const { dest, parallel, src } = require('gulp');

/** What `tsc` leaves behind and n8n reads from disk: icons, codex files and output schemas. */
const copy = (folder, patterns) => () =>
	src(
		patterns.map((pattern) => `${folder}/${pattern}`),
		{ encoding: false },
	).pipe(dest(`dist/${folder}`));

exports.clean = () => rm('dist', { recursive: true, force: true });
exports.assets = parallel(
	copy('icons', ['*.svg']),
	copy('nodes', ['**/*.node.json', '**/__schema__/**/*.json']),
);
