/** What the requests of the package say who sends them; a test holds it against the version of the package. */
export const clientName = 'n8n-nodes-chatbase/0.1.0';
