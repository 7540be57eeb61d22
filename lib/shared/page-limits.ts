// Limits that pages state before anything is sent.

/** The fewest characters of a password. */
export const PASSWORD_CHARACTERS = 12
