/** The nodes of a workflow that has a spreadsheet, in the place of a drive or a form from which a user would take it. */
import { type Cell, spreadsheetOf, type SpreadsheetFormat } from './spreadsheet.mjs';
import { type WorkflowNode } from './workflow.mjs';

/** The nodes that make the file, in the order of execution. The file is the last one's output. */
export function fileNodes(table: Cell[][], format: SpreadsheetFormat): WorkflowNode[] {
	const file = spreadsheetOf(table, format).toString('base64');
	return [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			name: 'Text',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ file }), options: {} },
		},
		{
			name: 'File',
			type: 'n8n-nodes-base.convertToFile',
			typeVersion: 1.1,
			parameters: {
				operation: 'toBinary',
				sourceProperty: 'file',
				options: { fileName: `contacts.${format}` },
			},
		},
	];
}
