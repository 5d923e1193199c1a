const { rm } = require('node:fs/promises');
const { dest, src } = require('gulp');

/** What n8n reads from disk and `tsc` leaves behind: icons, codex files and output schemas. */
const assets = ['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'];

exports.clean = () => rm('dist', { recursive: true, force: true });
exports.assets = () => src(assets, { base: '.', encoding: false }).pipe(dest('dist'));
