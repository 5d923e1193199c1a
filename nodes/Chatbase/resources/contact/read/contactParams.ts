/** What operations that write contacts read of an item. Types only. */
import type { ContactInput, WriteSettings } from '../plan/wantedContact';
import type { ColumnPlan } from './columns';

/** A value that was read otherwise than it stands in the input, for a hint. */
export interface ValueNote {
	/** The name of the attribute. */
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
	readonly notes: readonly ValueNote[];
	/** Columns that would clear a value if they were empty, but that the item lacks. */
	readonly lacking: readonly string[];
}

/** An item in which every cell is blank. It is skipped. */
export interface BlankItem {
	readonly input?: undefined;
	readonly settings: WriteSettings;
}
