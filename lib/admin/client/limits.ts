// Limits of the server that forms check before they send anything. test/admin/users.test.ts compares them with the
// server.

/** Minimum number of characters of a password. */
export const PASSWORD_CHARACTERS = 12
