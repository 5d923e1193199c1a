/** What a test sets for version 2 beside the switches: delays, limits and faults. No document decides them. */
import type { RateLimit } from '../core/rateLimit';

export interface ConditionsV2 {
	// --- Delays ---

	/** Milliseconds of silence in the middle of a stream, if `streamEnd` has one. */
	streamSilenceMs: number;
	/** How often a written source is seen before it has been trained. */
	trainingPolls: number;
	/** The same for the pages of a sitemap or a crawl, which are fetched first. */
	crawlPolls: number;
	/** Seconds by which the search index is behind. Pages: "a few seconds". */
	searchLagSeconds: number;
	/** Seconds until version 1 knows a clone. */
	cloneLagSeconds: number;

	// --- Limits ---

	/** Newest page: 1,000 in 10 seconds; older page: 100. The option `rateLimit` of the service wins. */
	rateLimit: RateLimit;
	/** Newest page: 10 uploads a minute, and refused ones count. Older pages know no such limit. */
	fileRate: RateLimit;
	/** Bytes that all sources of an agent may have, else 422. */
	storageLimit: number;
	/** Most chatbots that the plan allows, else 403 for a clone. */
	agentLimit: number;

	// --- Faults ---

	/** Where the network cuts a stream: after events, after each byte, nowhere, or inside characters. */
	streamChunks: 'events' | 'bytes' | 'whole' | 'insideCharacters';
	/** How many of the next requests get 503 `SERVICE_UNDER_MAINTENANCE` before anything is read or written. */
	maintenance: number;
	/** Endpoints that are switched off, such as `DELETE /agents/{agentId}/sources/{sourceId}`. Observed. */
	disabledEndpoints: string[];
	/** What the second page of a list does when rows moved after the first. */
	pagesUnderChange: 'stable' | 'rowTwice' | 'rowSkipped';
	/** An update of a ticket: as a whole, or its first field and a 500. */
	ticketUpdate: 'whole' | 'half';
	/** How many of the next lists of templates lack the last account, and say so. Documented: "retry". */
	partialTemplateLists: number;
}

export const defaultConditionsV2: ConditionsV2 = {
	streamSilenceMs: 0,
	trainingPolls: 1,
	crawlPolls: 1,
	searchLagSeconds: 0,
	cloneLagSeconds: 0,

	rateLimit: { requests: 1000, windowMs: 10_000, retryAfter: 'seconds' },
	fileRate: { requests: 10, windowMs: 60_000, retryAfter: 'seconds', countsRefused: true },
	storageLimit: Infinity,
	agentLimit: Infinity,

	streamChunks: 'events',
	maintenance: 0,
	disabledEndpoints: [],
	pagesUnderChange: 'stable',
	ticketUpdate: 'whole',
	partialTemplateLists: 0,
};
