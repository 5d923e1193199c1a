import { generateKeyPairSync, sign } from 'node:crypto';

/** Tags of DER (X.690, 8). */
const tags = { integer: 0x02, bits: 0x03, objectId: 0x06, time: 0x17, sequence: 0x30 };

function der(tag: number, ...contents: Buffer[]): Buffer {
	const content = Buffer.concat(contents);
	const { length } = content;
	const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

/** A self-signed certificate (RFC 5280, 4.1). */
export function selfSignedCertificate(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
	const ecdsaWithSha256 = der(
		tags.sequence,
		der(tags.objectId, Buffer.from('2a8648ce3d040302', 'hex')),
	);
	const nobody = der(tags.sequence);
	const time = (text: string) => der(tags.time, Buffer.from(text));
	const content = der(
		tags.sequence,
		der(tags.integer, Buffer.from([1])),
		ecdsaWithSha256,
		nobody,
		der(tags.sequence, time('200101000000Z'), time('491231235959Z')),
		nobody,
		publicKey.export({ type: 'spki', format: 'der' }),
	);
	const signature = sign('sha256', content, privateKey);
	const certificate = der(
		tags.sequence,
		content,
		ecdsaWithSha256,
		der(tags.bits, Buffer.from([0]), signature),
	);
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
	};
}
