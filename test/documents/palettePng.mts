import { crc32, deflateSync } from 'node:zlib';

/** A picture as a list of its pixels, line by line: red, green and blue in eight bits each. */
export interface Bitmap {
	width: number;
	height: number;
	pixels: number[];
}

const signature = Buffer.from('\x89PNG\r\n\x1A\n', 'latin1');
const mostColours = 256;
/** Colors that are nearer to each other, as the sum of three squares, look the same. */
const sameWithin = 100;

/**
 * Writes a picture of a user interface as PNG in a third of the bytes of a browser's PNG: its few
 * colors become a palette, and rare shades become the nearest color.
 */
export function palettePng({ width, height, pixels }: Bitmap): Buffer {
	const colors = byFrequency(pixels);
	const palette = distinct(colors);
	const numbers = new Map(colors.map((color) => [color, nearest(palette, color)]));

	const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	// Each line begins with the number of its filter: 0, none.
	const lines = Buffer.alloc(height * (width + 1));
	for (const [index, color] of pixels.entries()) {
		lines[index + Math.floor(index / width) + 1] = numbers.get(color)!;
	}
	return Buffer.concat([
		signature,
		chunk('IHDR', header),
		chunk('PLTE', Buffer.from(palette.flatMap(parts))),
		chunk('IDAT', deflateSync(lines, { level: 9 })),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

function byFrequency(pixels: number[]): number[] {
	const counts = new Map<number, number>();
	for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
	return [...counts].sort(([, left], [, right]) => right - left).map(([color]) => color);
}

/** As many as a palette holds, the frequent ones first, and each unlike the others. */
function distinct(colors: number[]): number[] {
	const chosen: number[] = [];
	for (const color of colors) {
		if (chosen.length === mostColours) break;
		const isNew = chosen.every((other) => distance(other, color) > sameWithin);
		if (isNew) chosen.push(color);
	}
	return chosen;
}

function nearest(palette: number[], color: number): number {
	const distances = palette.map((candidate) => distance(candidate, color));
	return distances.indexOf(Math.min(...distances));
}

function distance(left: number, right: number): number {
	const other = parts(right);
	return parts(left).reduce((sum, part, index) => sum + (part - other[index]!) ** 2, 0);
}

function parts(color: number): number[] {
	return [color >> 16, (color >> 8) & 0xff, color & 0xff];
}

function chunk(type: string, data: Buffer): Buffer {
	const content = Buffer.concat([Buffer.from(type, 'latin1'), data]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const checksum = Buffer.alloc(4);
	checksum.writeUInt32BE(crc32(content));
	return Buffer.concat([length, content, checksum]);
}
