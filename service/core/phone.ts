/** Phone numbers in E.164, as the guide of the dashboard's import says that Chatbase compares them. */

/** The country of numbers without a country code. The guide doesn't say which one; this one writes a zero before its area codes. */
const country = '+49';

/** A phone number in E.164. What can't be one stays as it is. */
export function e164Of(phone: string): string {
	const dialed = phone
		.replace(/\(0\)/, '')
		.replace(/[\s\p{Cf}\u2010\u2011()./-]/gu, '')
		.replace(/^00/, '+')
		.replace(/^0/, country)
		.replace(/^(?=[1-9]\d{6,9}$)/, country)
		.replace(/^(?=[1-9])/, '+');
	return /^\+[1-9]\d{6,14}$/.test(dialed) ? dialed : phone;
}
