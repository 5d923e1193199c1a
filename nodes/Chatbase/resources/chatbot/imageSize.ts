/** Width and height of an image in pixels. */
export interface ImageSize {
	width: number;
	height: number;
}

/**
 * Reads the size of an image from its first bytes.
 *
 * @param file content of a PNG, GIF, WebP or JPEG file
 * @returns undefined for other formats, and for a file that ends before it tells
 */
export function readImageSize(file: Buffer): ImageSize | undefined {
	return [readPng, readGif, readWebp, readJpeg].reduce<ImageSize | undefined>(
		(size, read) => size ?? read(file),
		undefined,
	);
}

function hasText(file: Buffer, offset: number, text: string): boolean {
	return file.toString('latin1', offset, offset + text.length) === text;
}

/** The first chunk, IHDR, begins with the size (PNG specification, 11.2.1). */
function readPng(file: Buffer): ImageSize | undefined {
	if (file.length < 24 || !hasText(file, 0, '\x89PNG\r\n\x1a\n')) return undefined;
	return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}

/** The logical screen descriptor follows the signature (GIF89a specification, 18). */
function readGif(file: Buffer): ImageSize | undefined {
	if (file.length < 10 || !hasText(file, 0, 'GIF8')) return undefined;
	return { width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
}

/** One of three kinds of first chunk: lossy, lossless or extended (RFC 9649, 2.5 to 2.7). */
function readWebp(file: Buffer): ImageSize | undefined {
	if (file.length < 30 || !hasText(file, 0, 'RIFF') || !hasText(file, 8, 'WEBP')) return undefined;
	switch (file.toString('latin1', 12, 16)) {
		case 'VP8 ':
			return { width: file.readUInt16LE(26) & 0x3fff, height: file.readUInt16LE(28) & 0x3fff };
		case 'VP8L': {
			const bits = file.readUInt32LE(21);
			return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		case 'VP8X':
			return { width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
		default:
			return undefined;
	}
}

/** Segments stand in a row; a frame header, which can be any of thirteen, holds the size (ITU-T T.81, B.2.2). */
function readJpeg(file: Buffer): ImageSize | undefined {
	if (file.length < 2 || file.readUInt16BE(0) !== 0xffd8) return undefined;
	for (let offset = 2; offset + 9 <= file.length;) {
		if (file[offset] !== 0xff) return undefined;
		const marker = file[offset + 1];
		// A marker may be preceded by any number of fill bytes.
		if (marker === 0xff) {
			offset++;
			continue;
		}
		if (isFrameHeader(marker)) {
			return { width: file.readUInt16BE(offset + 7), height: file.readUInt16BE(offset + 5) };
		}
		offset += 2 + file.readUInt16BE(offset + 2);
	}
	return undefined;
}

/** Between the frame headers stand markers for Huffman tables, extensions and arithmetic coding. */
function isFrameHeader(marker: number): boolean {
	return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}
