import type { FailureKind } from '../../../nodes/Chatbase/api/failureKinds';
import { connectionFaultOf, failureKindOf } from '../../../nodes/Chatbase/api/response';
import { version1 } from '../../../nodes/Chatbase/api/versions';

it.each([
	['ECONNREFUSED', 'refused'],
	['ENOTFOUND', 'hostNotFound'],
	['EAI_AGAIN', 'hostNotFound'],
	['ECONNABORTED', 'timeout'],
	['ETIMEDOUT', 'timeout'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
	['Z_DATA_ERROR', 'broken'],
	['Z_BUF_ERROR', 'broken'],
	['ERR__ERROR_FORMAT_PADDING_1', 'broken'],
	['ECONNRESET', 'broken'],
	['EPIPE', 'broken'],
	['ERR_BAD_RESPONSE', 'broken'],
	['HPE_INVALID_CONSTANT', 'broken'],
	['ERR_STRING_TOO_LONG', 'broken'],
	['ERR_CANCELED', undefined],
	['ERR_INVALID_URL', undefined],
])('reads %s as %s', (code, fault) => {
	expect(connectionFaultOf({ code })).toBe(fault);
	expect(connectionFaultOf(new Error('', { cause: { code } }))).toBe(fault);
	// n8n-workflow before 2.34 has no cause.
	expect(connectionFaultOf({ httpCode: code, cause: undefined })).toBe(fault);
});

it.each(['200', '201', '404', '500'])(
	'reads a response with status %s that is cut as a broken connection when there is no cause',
	(httpCode) => {
		expect(connectionFaultOf({ httpCode, cause: undefined })).toBe('broken');
	},
);

it("reads an end without a code as a broken connection when it is the client's", () => {
	expect(connectionFaultOf({ isAxiosError: true })).toBe('broken');
	expect(connectionFaultOf(new Error('Domain not allowed'))).toBeUndefined();
});

it.each<[number, FailureKind]>([
	[300, 'redirect'],
	[304, 'redirect'],
	[308, 'redirect'],
	[400, '400'],
	[401, '401'],
	[402, '402'],
	[403, '403'],
	[404, '404'],
	[405, '4xx'],
	[407, '4xx'],
	[409, '409'],
	[413, '413'],
	[422, '422'],
	[429, '429'],
	[431, '4xx'],
	[499, '4xx'],
	[500, '5xx'],
	[503, '5xx'],
	[599, '5xx'],
])('status %d is %s', (status, outcome) => {
	expect(failureKindOf(status, { message: 'Contact not found' }, version1)).toBe(outcome);
});

it.each([200, 201, 204, 299])('status %d is a success', (status) => {
	expect(failureKindOf(status, {}, version1)).toBeUndefined();
});

it.each<[unknown, FailureKind]>([
	[{ message: 'Contact not found' }, '404'],
	[{ message: 'No such chatbot', status: 404 }, '404'],
	[{ message: 'Resource not found' }, '404'],
	[{ message: 'Not found' }, 'wrongAddress'],
	[{ message: 'Not Found', statusCode: 404, error: 'Not Found' }, 'wrongAddress'],
	['<html>Not found</html>', 'wrongAddress'],
	['Contact not found', 'wrongAddress'],
	['', 'wrongAddress'],
	[null, 'wrongAddress'],
	[[], 'wrongAddress'],
	[{}, 'wrongAddress'],
	[{ error: 'Not found' }, 'wrongAddress'],
	[{ message: ' ' }, 'wrongAddress'],
	[{ message: { en: 'Contact not found' } }, 'wrongAddress'],
	[{ message: 'Route GET:/api/v2 not found' }, 'wrongAddress'],
	[{ message: 'Cannot GET /api/v2/chatbots' }, 'wrongAddress'],
	[{ message: 'The page could not be found' }, 'wrongAddress'],
])('a 404 with %j is %s', (body, outcome) => {
	expect(failureKindOf(404, body, version1)).toBe(outcome);
});
