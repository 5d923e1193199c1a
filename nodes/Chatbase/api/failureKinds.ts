/** Statuses that have a separate text. */
type Status =
	'400' | '401' | '402' | '403' | '404' | '409' | '413' | '422' | '429' | '4xx' | '5xx';

/** How a request can fail: by its status, or why there was no usable response. */
export type FailureKind =
	| Status
	/** The service rejects every request for now. */
	| 'maintenance'
	/** The service has switched this function off. */
	| 'disabled'
	| 'redirect'
	/** Nothing listens at the address. */
	| 'refused'
	| 'hostNotFound'
	| 'proxyUnreachable'
	| 'proxyLogin'
	| 'certificate'
	| 'timeout'
	| 'broken'
	/** The bytes are not in the encoding that the response states. */
	| 'unreadable'
	| 'tooLarge'
	/** A 404 that is no message of the service. */
	| 'wrongAddress'
	/** A success that is not what the API promises. */
	| 'unexpectedResponse'
	/** A failure after a success status, in a stream. */
	| 'streamedFailure';
