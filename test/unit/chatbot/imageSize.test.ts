import fc from 'fast-check';

import { readImageSize } from '../../../nodes/Chatbase/resources/chatbot/imageSize';

/** Bytes from text, numbers of one byte, and numbers of several in the byte order of the format. */
const bytes = (...parts: Array<string | number[]>) =>
	Buffer.concat(
		parts.map((part) =>
			typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part),
		),
	);
const bigEndian = (value: number, size: number) =>
	Array.from({ length: size }, (_, index) => (value >>> (8 * (size - 1 - index))) & 0xff);
const littleEndian = (value: number, size: number) => bigEndian(value, size).reverse();

type Writer = (width: number, height: number) => Buffer;

const png: Writer = (width, height) =>
	bytes('\x89PNG\r\n\x1a\n', bigEndian(13, 4), 'IHDR', bigEndian(width, 4), bigEndian(height, 4));
const gif: Writer = (width, height) =>
	bytes('GIF89a', littleEndian(width, 2), littleEndian(height, 2));
const webp = (chunk: string, ...content: number[][]) =>
	bytes(
		'RIFF',
		littleEndian(100, 4),
		'WEBP',
		chunk,
		littleEndian(50, 4),
		...content,
		Array(30).fill(0) as number[],
	);
const lossy: Writer = (width, height) =>
	webp('VP8 ', [0, 0, 0, 0x9d, 0x01, 0x2a], littleEndian(width, 2), littleEndian(height, 2));
const lossless: Writer = (width, height) =>
	webp('VP8L', [0x2f], littleEndian(((width - 1) | ((height - 1) << 14)) >>> 0, 4));
const extended: Writer = (width, height) =>
	webp('VP8X', [0, 0, 0, 0], littleEndian(width - 1, 3), littleEndian(height - 1, 3));
const segment = (marker: number, ...content: number[]) => [
	0xff,
	marker,
	...bigEndian(content.length + 2, 2),
	...content,
];
const jpegWith =
	(frame: number, before: number[] = []): Writer =>
	(width, height) =>
		bytes(
			[0xff, 0xd8],
			segment(0xe0, 0x4a, 0x46),
			before,
			segment(frame, 8, ...bigEndian(height, 2), ...bigEndian(width, 2), 3),
			[0xff, 0xd9],
		);

const formats: Array<[string, Writer, number]> = [
	['PNG', png, 0x7fffffff],
	['GIF', gif, 0xffff],
	['lossy WebP', lossy, 0x3fff],
	['lossless WebP', lossless, 0x4000],
	['extended WebP', extended, 0x1000000],
	['JPEG', jpegWith(0xc0), 0xffff],
	['progressive JPEG', jpegWith(0xc2), 0xffff],
	['JPEG with Huffman tables first', jpegWith(0xc0, segment(0xc4, 1, 2, 3)), 0xffff],
	['JPEG with fill bytes', jpegWith(0xc1, [0xff, 0xff]), 0xffff],
];

it.each(formats)('reads the size of a %s', (_, write, largest) => {
	const side = fc.integer({ min: 1, max: largest });
	fc.assert(
		fc.property(side, side, (width, height) => {
			expect(readImageSize(write(width, height))).toEqual({ width, height });
		}),
	);
});

it.each(formats)('says nothing for a %s that is cut short, and never throws', (_, write) => {
	const whole = write(300, 200);
	for (let length = 0; length < whole.length; length++) {
		const size = readImageSize(whole.subarray(0, length));
		expect([undefined, { width: 300, height: 200 }]).toContainEqual(size);
	}
});

it('says nothing for anything else', () => {
	expect(readImageSize(Buffer.from('<svg width="3" height="4"/>'))).toBeUndefined();
	expect(readImageSize(jpegWith(0xd9)(3, 4))).toBeUndefined();
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 200 }), (content) => {
			const size = readImageSize(Buffer.concat([Buffer.from([0xff, 0xd8]), content]));
			expect(size === undefined || size.width >= 0).toBe(true);
		}),
	);
});
