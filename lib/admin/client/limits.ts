// Limits of the server that a page tells before anything is sent. test/admin/users.test.ts compares them.

/** Characters of a password, at least. */
export const PASSWORD_CHARACTERS = 12
