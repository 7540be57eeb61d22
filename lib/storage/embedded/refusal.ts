// Why a data directory is not opened. The message is for the operator: it may name paths.

/** The data is damaged or not what it should be; nothing was modified. */
export class RefusedError extends Error {}

/** Another process owns the directory. */
export class InUseError extends Error {}
