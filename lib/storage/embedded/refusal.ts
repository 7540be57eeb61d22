// Errors for a data directory that is not opened. The message is for the operator and may name paths.

/** The data is damaged or not as expected; nothing was modified. */
export class RefusedError extends Error {}

/** Another process owns the directory. */
export class InUseError extends Error {}
