/** Takes the pictures of README and examples in a real n8n: `npx tsx test/documents/takePictures.mts`. */
import { mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import sharp from 'sharp';

import { chromiumHelp, noChromium } from '../../lab/browser.mjs';
import { HelpfulError } from '../../lab/help.mjs';
import { buildNode } from '../../lab/package.mjs';
import { projectFolder } from '../../lab/paths.mjs';
import { ensureRuntime } from '../../lab/runtime.mjs';
import { setTheStage } from '../../lab/stage.mjs';
import {
	answer,
	canvasPictures,
	chatPicture,
	drawingPicture,
	panelPicture,
	type Picture,
} from './pictures.mjs';

const folder = resolve(projectFolder, 'docs/images');

const { values } = parseArgs({
	options: {
		only: { type: 'string', multiple: true, default: [] },
		help: { type: 'boolean', default: false },
	},
});

if (values.help) {
	console.log(
		`npx tsx test/documents/takePictures.mts takes the pictures in docs/images anew, with a Chromium or Chrome.

  --only <name>  takes one picture, such as chat (repeat it for more)`,
	);
} else {
	await takePictures().catch((error: unknown) => {
		console.error(error instanceof HelpfulError ? error.message : error);
		process.exitCode = 1;
	});
}

async function takePictures(): Promise<void> {
	await ensureRuntime(console.log);
	await buildNode();
	const stage = await setTheStage({}, { reply: () => answer });
	try {
		const { editor } = stage;
		if (!editor) throw new HelpfulError(`Pictures cannot be taken: ${noChromium}. ${chromiumHelp}`);
		await mkdir(folder, { recursive: true });
		const { only } = values;
		const isWanted = (name: string) => only.length === 0 || only.includes(name);
		if (isWanted('loop')) await save(await drawingPicture(editor));
		if (isWanted('create-or-update')) await save(await panelPicture(stage, editor));
		if (isWanted('chat')) await save(await chatPicture(stage, editor));
		const canvases = canvasPictures(stage, editor, isWanted);
		for await (const picture of canvases) await save(picture);
	} finally {
		await stage.close();
	}
}

/** A user interface has few colors: a palette holds them. */
async function save({ name, png }: Picture): Promise<void> {
	const small = await sharp(png).png({ palette: true, dither: 0, effort: 10 }).toBuffer();
	await writeFile(resolve(folder, `${name}.png`), small);
	console.log(`${name}.png, ${Math.ceil(small.length / 1000)} kB`);
}
