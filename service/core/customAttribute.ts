/** A custom attribute as the store holds it. */
import type { attributeTypes } from '../v1/contract';

export interface CustomAttribute {
	name: string;
	type: (typeof attributeTypes)[number];
	label: string | null;
	description: string | null;
	archived: boolean;
}
