/** The start of a PNG file of a size, padded to a length. */
export function png(width: number, height: number, length = 64): Buffer {
	const file = Buffer.alloc(length);
	file.write('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
	file.writeUInt32BE(width, 16);
	file.writeUInt32BE(height, 20);
	return file;
}

/** An input item with a file in the field `data`. */
export function itemWith(file: Buffer, json = {}, fileName?: string, mimeType = 'image/png') {
	const data = {
		data: file.toString('base64'),
		mimeType,
		...(fileName && { fileName }),
	};
	return { json, binary: { data } };
}
