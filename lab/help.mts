/** A failure that the user can correct: its message says how. */
export class HelpfulError extends Error {}

/** Receives one line at a time about what a slow step is doing. */
export type Report = (line: string) => void;
