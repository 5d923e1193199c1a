/** The requests of a service: their log, and how many of them are on their way. */
import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Fault } from './faults';
import type { RecordedRequest } from './requestLog';

/** One request on its way through the service. */
export interface Exchange {
	readonly record: RecordedRequest;
	/** Those that strike the request. */
	faults: Fault[];
	/** Counts the request as answered; only the first call has an effect. */
	readonly answered: () => void;
}

declare module 'fastify' {
	interface FastifyRequest {
		exchange: Exchange;
	}
}

export class Traffic {
	/** In order of arrival. */
	readonly requests: RecordedRequest[] = [];
	inFlight = 0;
	maxInFlight = 0;

	/** Records a request that has arrived. */
	begin(request: FastifyRequest, reply: FastifyReply): Exchange {
		const record = recordOf(request, this.requests.length + 1);
		this.requests.push(record);

		this.inFlight++;
		this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
		let isOpen = true;
		const answered = () => {
			if (isOpen) this.inFlight--;
			isOpen = false;
		};
		reply.raw.once('close', answered);

		return { record, faults: [], answered };
	}

	/** Empties the log. What is on its way stays so. */
	clear(): void {
		this.requests.length = 0;
		this.maxInFlight = this.inFlight;
	}
}

/** What stands before a path relative to the base address, for the endpoints of either version. */
const versionPrefix = /^\/api\/(v1(?!\/(agents|health))|v2(?=\/(agents|health)))(?=\/)/;

/** No path of one version is a path of the other, so what is asked of the wrong one stays as it came. */
function recordOf(request: FastifyRequest, number: number): RecordedRequest {
	const url = request.raw.url!;

	return {
		number,
		method: request.method,
		url,
		path: url.split('?')[0].replace(versionPrefix, ''),
		query: { ...(request.query as RecordedRequest['query']) },
		headers: request.headers,
		body: undefined,
		status: undefined,
		at: Date.now(),
	};
}
