/** The part of n8n's scanner that works without a published package. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export interface Analysis {
		passed: boolean;
		message?: string;
		details?: string;
	}

	/** What the scanner looks at in the source of a package. */
	export const SOURCE_FILE_PATTERNS: string[];

	/** Lints a package as n8n does before it verifies one. */
	export function analyzePackage(folder: string, patterns?: string[]): Promise<Analysis>;
}
