import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

/**
 * n8n's context with the errors of n8n-workflow before 2.34, which have no cause. A response that is cut in its body then
 * leaves its status as `httpCode` and the message "stream has been aborted", as seen with n8n-workflow 2.33.2 and axios 1.18.
 */
export function withOlderErrors(context: IExecuteFunctions): IExecuteFunctions {
	const { helpers } = context;
	const { httpRequestWithAuthentication: request } = helpers;

	const older: typeof request = async function (this: IExecuteFunctions, ...call) {
		const response = request.apply(this, call) as Promise<unknown>;
		return await response.catch(async (error: unknown) => {
			if (error instanceof NodeApiError) Object.assign(error, { cause: undefined });
			return await Promise.reject(error as Error);
		});
	};

	return Object.create(context, {
		helpers: { value: { ...helpers, httpRequestWithAuthentication: older } },
	}) as IExecuteFunctions;
}
