/** How the service refuses a request. Statuses with a separate text, and two of its reasons. */
export type Refusal =
	| '400'
	| '401'
	| '402'
	| '403'
	| '404'
	| '409'
	| '413'
	| '422'
	| '429'
	| '4xx'
	| '5xx'
	/** The service rejects every request for now. */
	| 'maintenance'
	/** The service has switched this function off. */
	| 'disabled';

/** Why there was no usable response. */
export type ConnectionFault =
	| 'redirect'
	/** Nothing listens at the address. */
	| 'refused'
	| 'hostNotFound'
	| 'certificate'
	| 'timeout'
	| 'broken'
	/** A 404 that does not say that a record is missing. */
	| 'wrongAddress'
	/** A success that is not what the API promises. */
	| 'unexpectedResponse'
	/** A failure after a success status, in a stream. */
	| 'streamedFailure';

/** How a request can fail. */
export type FailureKind = Refusal | ConnectionFault;
