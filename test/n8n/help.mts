/** A failure that a person can do something about: its message is all they need to read. */
export class HelpfulError extends Error {}

/** Receives one line at a time about what a slow step is doing. */
export type Report = (line: string) => void;
