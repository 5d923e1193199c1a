/** What operations that write contacts read of an item. Types only. */
import type { Reading } from '../../customAttribute/attributeTypes';
import type { ContactInput, WriteSettings } from '../plan/wantedContact';
import type { ColumnPlan, UnsentColumns } from './columns';

/** How a value was read, for a hint. */
export interface ValueNote {
	readonly kind: Reading | 'apostrophe';
	/** The name of the field or attribute. */
	readonly name: string;
	readonly from: string;
	readonly to: string;
}

/** What an operation that writes contacts reads of an item. */
export interface ContactParams {
	readonly input: ContactInput;
	readonly settings: WriteSettings;
	/** What the columns are for, in automatic mapping. */
	readonly plan?: ColumnPlan;
	/** In automatic mapping. */
	readonly unsent?: UnsentColumns;
	/** Values that were read otherwise than they stand in the input, or may mean something else. */
	readonly notes: readonly ValueNote[];
	/** Names of what an empty cell would have cleared, although the item has no such cell. */
	readonly uncleared: readonly string[];
}

/** A row of the input in which every cell is blank. It is skipped. */
export interface BlankRow {
	readonly input?: undefined;
	readonly settings: WriteSettings;
}
