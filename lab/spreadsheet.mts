/** Spreadsheets as people save them. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { runtimeFolder } from './paths.mjs';

/** A day, which a cell of Excel holds as the number of days since 1900. */
export interface Day {
	day: string;
}

export type Cell = string | number | boolean | Day;

export type SpreadsheetFormat = 'csv' | 'xlsx';

/** What is used of the library with which n8n reads spreadsheets. */
interface SheetLibrary {
	utils: {
		aoa_to_sheet(rows: unknown[][]): object;
		book_new(): object;
		book_append_sheet(book: object, sheet: object): void;
	};
	write(book: object, options: { type: 'buffer'; bookType: 'xlsx' }): Buffer;
}

/** Makes a file of rows, the first of which has the names of the columns. */
export function spreadsheetOf(rows: Cell[][], format: SpreadsheetFormat): Buffer {
	return format === 'csv' ? csvOf(rows) : xlsxOf(rows);
}

/** With the mark at the start by which Excel recognizes UTF-8. */
function csvOf(rows: Cell[][]): Buffer {
	const textOf = (cell: Cell) => (typeof cell === 'object' ? cell.day : String(cell));
	const lines = rows.map((row) => row.map(textOf).join(','));
	return Buffer.from(`\ufeff${lines.join('\r\n')}\r\n`);
}

function xlsxOf(rows: Cell[][]): Buffer {
	const library = createRequire(join(runtimeFolder, 'package.json'))('@e965/xlsx') as SheetLibrary;
	const { utils } = library;
	const sheet = utils.aoa_to_sheet(rows.map((row) => row.map(excelCell)));
	const book = utils.book_new();
	utils.book_append_sheet(book, sheet);
	return library.write(book, { type: 'buffer', bookType: 'xlsx' });
}

/** Excel has no empty texts, only cells without a value, and dates are numbers that are shown as dates. */
function excelCell(cell: Cell): unknown {
	if (cell === '') return null;
	if (typeof cell !== 'object') return cell;

	const days = (Date.parse(cell.day) - Date.UTC(1899, 11, 30)) / 86_400_000;
	return { t: 'n', v: days, z: 'yyyy-mm-dd' };
}
