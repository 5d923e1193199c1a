import { connectionFaultOf } from '../../../nodes/Chatbase/transport/response';

it.each([
	['ECONNREFUSED', 'refused'],
	['ENOTFOUND', 'hostNotFound'],
	['EAI_AGAIN', 'hostNotFound'],
	['ECONNABORTED', 'timeout'],
	['ETIMEDOUT', 'timeout'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'certificate'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate'],
	['ECONNRESET', 'broken'],
	['EPIPE', 'broken'],
	['ERR_BAD_RESPONSE', 'broken'],
	['HPE_INVALID_CONSTANT', 'broken'],
	['ERR_CANCELED', undefined],
	['ERR_INVALID_URL', undefined],
])('takes %s for %s', (code, fault) => {
	expect(connectionFaultOf({ code })).toBe(fault);
});

it('knows an end without a code, but only of the client', () => {
	expect(connectionFaultOf({ isAxiosError: true })).toBe('broken');
	expect(connectionFaultOf(new Error('Domain not allowed'))).toBeUndefined();
});
