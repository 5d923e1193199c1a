import { resolve } from 'node:path';

/** The folder that holds package.json. */
export const projectFolder = resolve(import.meta.dirname, '..');

/** The pinned n8n: package.json, lock file and npm settings, in the repository. */
export const runtimeSource = resolve(projectFolder, 'lab/runtime');

/** Where the pinned n8n is installed, ignored by git. */
export const runtimeFolder = resolve(projectFolder, '.n8n-runtime');

/** Where pictures of the editor go, ignored by git. */
export const screenshotFolder = resolve(projectFolder, '.screenshots');

/** The importable workflows that the package ships as examples. */
export const examplesFolder = resolve(projectFolder, 'examples');
