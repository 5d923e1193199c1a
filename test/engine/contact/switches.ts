/** The switches of the service that are about contacts, as properties draw them. */
import * as fc from 'fast-check';

import type { Behaviour } from '../../../service';

const either = <Value extends string | number>(...values: Value[]) => fc.constantFrom(...values);

export const contactSwitches: fc.Arbitrary<Partial<Behaviour>> = fc.record({
	attributesOnPatch: either('merge', 'replace'),
	clearedText: either('null', 'empty'),
	contactOrder: either('oldestFirst', 'newestFirst'),
	createBatch: either('atomic', 'upToFirstBad'),
	createExisting: either('conflict', 'upsert'),
	createReply: either('data', 'created'),
	emailCase: either('asSent', 'lower'),
	emailUnique: fc.boolean(),
	endpoints: either('all', 'withoutAttributeList'),
	issues: either('contactsFamily', 'everywhere', 'never'),
	missingFields: either('null', 'absent'),
	notFoundMessage: either('named', 'Resource not found'),
	nullInWrite: either('clears', 'badRequest'),
	pageBeyondEnd: either('badRequest', 'empty', 'lastPage'),
	timestampUnit: either('seconds', 'milliseconds'),
});
