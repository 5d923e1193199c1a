/** The switches of the service that are about contacts, as properties draw them. */
import * as fc from 'fast-check';

import type { Behaviour } from '../../../service';

const either = <Value extends string | number>(...values: Value[]) => fc.constantFrom(...values);

export const contactSwitches: fc.Arbitrary<Partial<Behaviour>> = fc.record({
	archivedAttributeInWrite: either('badRequest', 'drop'),
	archivedValues: either('returned', 'hidden'),
	attributesOnPatch: either('merge', 'replace'),
	booleanValues: either('boolean', 'number'),
	clearedText: either('null', 'empty'),
	contactId: either('string', 'number'),
	contactOrder: either('oldestFirst', 'newestFirst'),
	createBatch: either('atomic', 'upToFirstBad'),
	createExisting: either('conflict', 'upsert'),
	createReply: either('data', 'created'),
	createdStatus: either(200, 201),
	emailCase: either('asSent', 'lower'),
	emailUnique: fc.boolean(),
	emptyListPages: either(0, 1),
	endpoints: either('all', 'withoutAttributeList'),
	issues: either('contactsFamily', 'everywhere', 'never'),
	missingFields: either('null', 'absent'),
	notFoundMessage: either('named', 'Resource not found'),
	nullInWrite: either('clears', 'badRequest'),
	pageBeyondEnd: either('badRequest', 'empty', 'lastPage'),
	timestampUnit: either('seconds', 'milliseconds'),
});
