/** Errors that the node makes itself, by what they are about. docs/troubleshooting.md is made of these and of the errors of requests. */

import type { whatsAppTexts } from './errorTexts';

/** When people meet an error. The error itself says what to do. */
export interface Cause {
	/** The titles that people meet, if … stands for a few words only. */
	readonly titles?: readonly string[];
	readonly when: string;
	/** What the error can't say. */
	readonly help?: string;
}

const variable = 'A value that WhatsApp does not accept. The title names the variable.';
const removal =
	'Remove them in an expression, such as `{{ $json.note.replace(/\\s+/g, " ") }}`.';

/** By the title, in which … stands for a name or a number. */
export const ownErrors = {
	'Credential and connection': {
		'The Base URL of the credential does not end in v1': {
			when: 'An operation of version 2, with a Base URL such as `https://chat.example.com`',
			help: 'If the service has no version 2, use operations of version 1: see [Endpoints](endpoints.md).',
		},
		'The credential does not allow the host for files': {
			when: '*Allowed HTTP Request Domains* of the credential lists the Base URL, but not the host that takes files',
			help: 'Add `files.chatbase.co` to *Allowed Domains*: see [Where the key goes](credential.md#where-the-key-goes).',
		},
		'The execution was canceled': {
			when: 'Somebody stopped the execution, or its timeout has passed (Workflow settings, *Timeout Workflow*)',
			help: 'For a long run, raise the timeout.',
		},
		'An ID of the request cannot be part of its path': {
			when: "An expression returns no ID, or a text that can't be one",
			help: 'Look at the input of the item: a lookup before this node may have found nothing.',
		},
		'The API key of the credential is empty': {
			when: 'The credential was saved without a key, or its expression has no value',
		},
		'Timeout is not a whole number of milliseconds': {
			when: 'The Timeout in Request Options is a text, a fraction or too large',
			help: 'Enter milliseconds, such as 60000, or leave it empty for the default.',
		},
		'Proxy is not a web address': {
			when: 'The Proxy in Request Options has no `http://`, or a special character that is not encoded',
		},
		'The Base URL of the credential is not a web address': {
			when: '`https://` is missing, or the field has something else in it',
		},
		'The Base URL of the credential has a user or password': {
			when: 'The address looks like `https://name:password@host`',
		},
		'The Base URL of the credential has a "?" or "#"': {
			when: 'The address was copied from a page with parameters',
		},
		'The Base URL of the credential ends in v2': {
			when: 'The address of version 2 was entered',
		},
	},
	'Any operation': {
		'Chatbot not found': {
			when: 'The ID is of another workspace, or the chatbot was deleted',
			help: 'A key belongs to one workspace. The dashboard shows the ID under Settings, General.',
		},
		'Turn off Retry On Fail': {
			when: 'The setting *Retry On Fail* is on, and the operation must not be done twice: *Ticket: Create*, *Ticket: Reply*, *WhatsApp Template: Send* and others',
			help: 'See [Retries of n8n](operations.md#retries-of-n8n).',
		},
		'This operation refuses the retry of an execution': {
			when: '*Executions → Retry*, and the operation must not be done twice. n8n gives this mode to nodes that have not run yet, too.',
			help: 'See [Retries of n8n](operations.md#retries-of-n8n).',
		},
		'The list is too long for one input item': {
			when: 'One input item would become more than 100,000 output items',
			help: 'See [Large lists](operations.md#large-lists).',
		},
		'The … could not be read completely': {
			when: 'Records were added or deleted during each of three reads',
			help: 'Run the workflow when fewer people work in Chatbase. A filter makes the list shorter.',
		},
		'Custom API Call is no operation of this node': {
			when: 'Custom API Call was chosen, which n8n adds to the lists of resources and operations',
			help: 'See [Endpoints](endpoints.md).',
		},
		'The operation is unknown': {
			when: 'Resource or Operation is an expression, or the workflow was made by a newer version of the package',
			help: 'Update the package, or choose the operation again.',
		},
		'This n8n runs the node once for each item': {
			when: 'A workflow with the setting `engineType: "v2"`, and an operation that needs all items at once, such as *Mirror*',
			help: 'See [Engine 2.0](queue-mode.md#engine-20).',
		},
		'The item has no file': {
			when: 'A node before could not download the file, and went on with an error in its place',
			help: 'Correct the cause that the error quotes, or remove such items with a Filter node.',
		},
		'Nothing to update': {
			when: 'All fields to change are empty',
			help: 'Add at least one field under Update Fields, or check what its expression gives.',
		},
		'Dry Run has no value': {
			when: 'Dry Run is an expression without a value, which could mean yes or no',
		},
		'Items use different settings': {
			when: 'A setting that counts for the whole run is an expression, and differs between items',
			help: 'Split the items with an If or a Switch node, and use one Chatbase node for each setting.',
		},
		'… is not …': {
			when: 'A field has a value of another type, such as text instead of a number. The title names the field and the type.',
			help: 'Correct the value in the node before, or in the expression. Pass a number with many digits as text.',
		},
		'… is empty': {
			when: 'A field that the operation needs has no value for this item',
			help: 'Enter a value, or correct the expression. Look at the input of the item: a column may be missing, or a node before may return an empty item.',
		},
		'… is not valid': {
			when: 'A text was cut in the middle of a character, for example by `slice()` in an expression',
			help: 'Cut at another place.',
		},
		"… has a value that JSON can't hold": {
			when: 'An expression gives a number that is none, such as 1 divided by 0, or an invalid date',
		},
		'… is not valid JSON': {
			when: 'A JSON field has a missing quote, a comma too many, or an expression whose text breaks the quotes',
			help: 'For values of other nodes, write the whole field as an expression that returns an object.',
		},
		'… is not a JSON object': {
			when: 'A JSON field has a list, a text or a number',
		},
		'The filter … is empty': {
			when: 'A filter was added and has no value, or its expression has none for this item',
		},
		'… is after …': {
			when: 'The start of a period lies after its end',
		},
		'Choose a chatbot first': {
			when: 'A list of the panel, such as that of sources, needs to know the chatbot',
			help: 'If Chatbot is an expression, n8n has no value for it in the panel: enter the ID of the record instead.',
		},
		'… does not work as a tool': {
			titles: [
				'Mirror does not work as a tool',
				'Send does not work as a tool',
				'Upload Icon does not work as a tool',
				'Upload Profile Picture does not work as a tool',
			],
			when: '*Mirror*, *WhatsApp Template: Send* or an upload of a picture is connected to an agent',
			help: 'Use it as a step of a workflow, which an agent can call: see [Tools](tools.md).',
		},
		'Several values are not valid': {
			when: 'An item, or the items together, have several values that do not fit their fields or attributes',
			help: 'Correct the values that the error lists, or map other columns.',
		},
	},
	Chat: {
		'The results of the conversation are not complete': {
			when: '*Chat: Send Tool Result*: another item of the conversation is not valid, or has the same Tool Call ID',
		},
		'The chatbot waits for another result': {
			when: '*Chat: Send Tool Result*: another result of the conversation was refused',
		},
		'Output is too large': {
			when: '*Chat: Send Tool Result*: Output has more than 20,480 bytes',
		},
		'Output is empty': {
			when: '*Chat: Send Tool Result*: Output is empty, or its expression returned nothing',
			help: 'Map what the tool found. If it found nothing, say so, such as `{"found": false}`.',
		},
		'The conversation is paused or was taken over': {
			when: '*Latest of a User*, while a person of your team answers this user',
			help: 'See [Chat](chat.md#which-conversation).',
		},
		'… is not a list': {
			when: 'Previous Messages JSON is an object, a text or a number',
		},
		'… has an invalid message': {
			when: 'An earlier message has another role, such as `system`, or no text',
		},
	},
	Chatbots: {
		'The chatbot has no name': {
			when: 'A new text for a chatbot whose name could not be read',
		},
		'The image is empty': {
			when: 'A node before made a file without content',
		},
		'The file is not an image': {
			when: 'Another file of the item was named in Input Data Field Name, or a download returned a page of HTML',
		},
		'The image is too large': {
			when: 'The picture has 1 MB or more',
			help: "n8n's Edit Image node makes it smaller.",
		},
		'Training Text does not go with a website': {
			when: '*Create* with *Training Text* and *Website URL*, *Instructions* or *Model*',
		},
		'Credit Limit is set and removed': {
			when: '*Credit Limit* and *Remove Credit Limit* are both set',
		},
		'A channel is named twice': {
			when: '*Instructions by Channel* has two rows for one channel',
		},
	},
	Contacts: {
		'A contact with this External ID exists': {
			when: '*Create* met a contact that is there already',
			help: 'IDs are case-sensitive: see [Which contact is matched](contacts-matching.md).',
		},
		'Fields were dropped': {
			when: '*If Fields Are Dropped* is *Fail*, and a value is not on the contact after the write',
			help: 'A field is dropped if its attribute does not exist, is archived, or has another spelling.',
		},
		'A field name is unknown': {
			when: 'Set Only If Empty or Clear Field Names has another name than the API',
		},
		'The filter Phone Number has no digit': {
			when: 'The filter has letters or signs only',
			help: 'Enter a number, or remove the filter.',
		},
		'Automatic mapping does not work in a tool': {
			when: 'Contact Fields is set to *Map Automatically* in a tool of an agent',
		},
		'External ID Column is not in the input': {
			when: 'The option names a column that no item has, for example because the node before was changed',
			help: 'Enter the name of a column: see [Automatic mapping](contacts.md#automatic-mapping).',
		},
		'All items are blank': {
			when: 'Every cell of every item is empty or has only spaces',
		},
		'… has lost digits': {
			when: 'An External ID such as `4.47911E+11`: a spreadsheet shows a long number in this form, and saves it so in a CSV file',
		},
		'Contact Fields has nothing to update': {
			when: 'All mapped fields or columns are empty for this item',
		},
		'Set Only If Empty has an unknown custom attribute': {
			when: 'The label of the attribute was entered, or the attribute was never created',
		},
		'External ID is empty': {
			when: 'The item has no ID, and no Email by which the contact can be found. *Mirror* needs an ID in every item.',
			help: 'Map External ID to the ID that the contact has in your own system. If a node before returns an empty item, turn off its Always Output Data.',
		},
		'The contact list could not be read completely': {
			when: 'Contacts were added or deleted during each of three reads, for example by another sync',
			help: 'Run the node again at a quieter time. Schedule syncs of one chatbot further apart than one run takes.',
		},
		'No contact has this Email, and External ID is empty': {
			when: 'An item without an ID, and no contact that its Email could find',
			help: 'Map the ID to External ID. For automatic mapping, enter its column in Options → External ID Column. If your data has no IDs, enter the column of the email.',
		},
		'Several contacts have this Email': {
			when: 'The contact list has an Email twice',
			help: '*Contact: Get Many* with the filter Email shows them.',
		},
		'Several contacts have this External ID': {
			when: 'The service has an ID twice, or in two spellings that differ only by spaces, invisible characters or an apostrophe',
			help: '*Contact: Get Many* with the filter External ID shows them.',
		},
		'The contact with this Email has no External ID': {
			when: 'A contact that was made without an ID',
		},
		'Another item with this Email failed': {
			when: 'Two items have one Email, and one of them has another problem',
		},
		'Another item names the contact with this Email': {
			when: 'One item finds a contact by its Email, another one by its ID',
		},
		'Not sent, because the plan has no room for more contacts': {
			when: 'The service has refused another new contact of the run, because the plan is full',
		},
		"A value doesn't fit its custom attribute": {
			when: 'A text for a number, such as `12,50`, or for a date or boolean attribute',
			help: 'Correct the value in the input: see [Which values are equal](contacts-matching.md#which-values-are-equal) and [Values from expressions](contacts.md#values-from-expressions).',
		},
		'custom_attributes in Extra Fields JSON is not an object': {
			when: 'The JSON has a list or a text there',
		},
		'… has a number with too many digits': {
			when: 'A JSON field has a number of more than about 15 digits, such as a long ID',
		},
		'Remove the tag attribute from the mapping': {
			when: 'A column of the input has the name of the tag attribute',
		},
	},
	Mirror: {
		'An External ID lacks the ID Prefix': {
			when: "*With an ID Prefix*, and an item that doesn't have the prefix",
			help: 'Add the prefix to the IDs of the input, or change ID Prefix.',
		},
		'Not sent, because all records before it were refused': {
			when: '1,000 updates, 1,000 new contacts or 1,000 deletions of a run were refused, and none was accepted',
		},
		'Tag and date have the same attribute': {
			when: 'One attribute is set for both',
		},
		'Another mirror manages all contacts of the input': {
			when: 'The tag was renamed, or two mirrors get the same list',
		},
		'… cannot be used': {
			when: 'The attribute for the tag or the date is archived, or has another type',
			help: 'Choose an active attribute of the right type, or a new name.',
		},
		'Mirror does not work with Execute Once': {
			when: 'The setting *Execute Once* of the node is on',
		},
		'Mirror does not work inside a loop': {
			when: 'The node stands in a loop, or on a branch that starts in a loop',
		},
		'Mirror can run only once per execution': {
			when: 'Something before Mirror runs twice in one execution',
		},
		'Branches join before Mirror without a Merge node': {
			when: 'Branches of one trigger join before Mirror, without a Merge node',
			help: 'Put a Merge node where the branches join, or give each branch a separate Mirror: see [Mirror](mirror.md).',
		},
		'The input has an unexpected length': {
			when: 'Expected Contacts or Expected Sources is set, and the input has another number of IDs',
		},
		'All managed … are missing from the input': {
			titles: [
				'All managed contacts are missing from the input',
				'All managed sources are missing from the input',
			],
			when: 'The nodes before Mirror returned another list, or Contacts to Manage is too wide',
			help: 'Nothing was written: one run never marks or deletes all. Execute the node before alone, and look at its output.',
		},
		'Too many … are missing from the input': {
			titles: [
				'Too many contacts are missing from the input',
				'Too many sources are missing from the input',
			],
			when: 'More records are missing than the safety limit allows, for example since a source returned one page only',
			help: 'Nothing was written. If the list is right, set Max Missing Contacts or Max Missing Sources for one run: see [Mirror](mirror.md).',
		},
		'… of … … would fail': {
			when: 'A Dry Run in which items are invalid',
			help: 'Correct the items that the error names. With On Error on Continue, each item shows its error.',
		},
		'… of … … failed': {
			when: '*If Contacts Fail* or *If Sources Fail* is *Write the Rest, Then Fail*',
			help: 'The reasons have counts. Add *Continue (using error output)* to get each failed item.',
		},
		'The input of Mirror is a result, not a list': {
			when: 'Mirror stands behind another operation of this node',
		},
		'A mirror has deleted this …': {
			titles: ['A mirror has deleted this contact', 'A mirror has deleted this source'],
			when: 'The output of a mirror goes to *Create* or *Create or Update*',
		},
		'Several items want different values for one …': {
			titles: [
				'Several items want different values for one contact',
				'Several items want different values for one source',
			],
			when: 'The input has two rows about one record',
			help: "n8n's Remove Duplicates node keeps the first.",
		},
	},
	'Custom attributes': {
		'Custom attribute not found': {
			when: 'The label was entered, or the attribute is of another chatbot',
		},
		'The chatbot has no custom attributes': {
			when: 'The list of attributes in the panel is empty',
		},
		'Another attribute differs only in case': {
			when: '*Custom Attribute: Create* met `Plan` in the chatbot or in an earlier item, and was asked for `plan`',
			help: 'Use the name of the other attribute, or choose another one.',
		},
		'The attribute has another type': {
			when: '*Custom Attribute: Create* met an attribute of the same name, in the chatbot or in an earlier item',
		},
	},
	Conversations: {
		'Query is empty': {
			when: 'The input has an item without the value that Query looks for',
		},
		'A conversation came without its messages': {
			when: 'The service returned a conversation in another form',
		},
		'The service returned another conversation': {
			when: 'The service answered with a conversation of another ID',
			help: 'If it happens again, report it to the support of the service.',
		},
		'Conversation not found': {
			when: 'The ID is of another chatbot, is a session ID, or the conversation was deleted',
		},
		'The conversation was not …d': {
			titles: ['The conversation was not paused', 'The conversation was not resumed'],
			when: 'The service accepted the request, and the conversation still has its old status',
			help: 'Read it with *Conversation: Get*, and try again.',
		},
		'The answer was not rated': {
			when: 'The response to a rating has another rating than the one that was sent',
		},
	},
	Sources: {
		'Several sources have this name': {
			when: "Two sources of one type have one name, so the node can't tell which one to update",
		},
		"n8n can't use its memory of this node": {
			when: 'n8n could not read or write its database while *Create or Update* or *Mirror* looked for what they sent before',
		},
		'A file has no other content': {
			when: 'An update of a file has a text or a question as well',
		},
		'Files do not work as a tool': {
			when: 'An agent should write a file',
		},
		'The file is too large': {
			when: 'A file of more than 20 MB',
		},
		'The file is empty': {
			when: 'A download failed, or a node before made a file without content',
		},
		'The file name has no ending': {
			when: 'The file comes from a node that gives no name, such as HTTP Request',
		},
		'The service does not accept this type of file': {
			when: 'The name ends in something else, such as `.xlsx` or `.html`',
		},
		'The training of the source failed': {
			when: '*Seconds to Wait for Training*, and Chatbase could not learn the source, for example a scan without text',
		},
	},
	'WhatsApp templates': {
		'The list of templates is not complete': {
			when: "Chatbase could not read one of the chatbot's WhatsApp accounts",
		},
		'From is not a number of the template': {
			when: 'The number in From belongs to another WhatsApp account than the template',
			help: 'The error lists the numbers that can send it.',
		},
		"The template's account has no number": {
			when: 'No connected number belongs to the WhatsApp account of the template',
		},
		'… contains a line break': { when: variable, help: removal },
		'… contains a tab': { when: variable, help: removal },
		'… contains more than four spaces in a row': { when: variable, help: removal },
		'Variables JSON: … is not a JSON object': {
			when: 'Header, body or footer has a value in place of its variables, such as `{"body": "Jane"}`',
		},
		'Variables JSON has no value': {
			when: 'Variables JSON is an expression, and an item lacks its value. Template Variables are not used then: they may be an example.',
		},
		'Variables JSON is empty': {
			when: 'The template comes from an expression, and Variables JSON was not added',
		},
	},
	Trigger: {
		'Trigger On has an unknown event': {
			when: 'The event is an expression, or the workflow was made by a newer version of the package',
		},
		'Chatbot is empty': {
			when: 'No chatbot was chosen yet',
		},
		'A Custom Attributes condition has no attribute': {
			when: 'A condition was added and not filled in',
		},
		'Report Changes Since is in the future': {
			when: 'The time of the option has not come yet, by the clocks of n8n and of Chatbase',
		},
		'No … have a readable date': {
			titles: [
				'No contacts have a readable date',
				'No conversations have a readable date',
				'No leads have a readable date',
				'No tickets have a readable date',
			],
			when: 'Chatbase returned each record without a time, or with a time in an unknown form',
			help: 'Report it with the example that the error shows, without data of your customers.',
		},
		'No records match yet': {
			when: 'A manual test of the trigger found no record',
			help: 'See [Trigger](trigger.md).',
		},
	},
} satisfies Record<string, Record<string, Cause>>;

type Declared = {
	[Group in keyof typeof ownErrors]: keyof (typeof ownErrors)[Group];
}[keyof typeof ownErrors];

type Filled<Title extends string> = Title extends `${infer Start}…${infer Rest}`
	? `${Start}${string}${Filled<Rest>}`
	: Title;

type OfWhatsApp = (typeof whatsAppTexts)[keyof typeof whatsAppTexts]['title'];

/** A title of an error that the node makes itself: one of those above, with its values, or what WhatsApp would say. */
export type OwnTitle = Filled<Declared> | OfWhatsApp;
