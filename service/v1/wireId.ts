/** How the API returns an internal ID. */
import { createHash } from 'crypto';

/**
 * The identifier as it leaves the service. As a number, digits keep their value and anything else
 * becomes a number that depends on it alone.
 */
export function wireId(id: string, type: 'string' | 'number'): string | number {
	if (type === 'string') return id;
	if (/^\d{1,15}$/.test(id)) return Number(id);
	// Six bytes are few enough to be exact in JSON, and enough that no two IDs ever meet.
	return createHash('sha256').update(id).digest().readUIntBE(0, 6);
}
