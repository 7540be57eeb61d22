// Limits of sessions, links, users, roles and keys: a part of LIMITS.

export const PEOPLE_LIMITS = Object.freeze({
  /** A session expires after sessionIdleMs without use, and sessionMs after sign-in. */
  sessionIdleMs: 24 * 3_600_000,
  sessionMs: 14 * 24 * 3_600_000,
  /** Secrets of a session: each open page gets a secret, and a new secret before it expires. */
  sessionSecretMs: 10 * 60_000,
  secretsPerSession: 16,
  /** Lifetime of an address with a ticket: long enough for a page to load its media. */
  ticketMs: 5 * 60_000,
  /** Lifetime of a link to a file: by default, and at most. */
  linkMs: 24 * 3_600_000,
  maxLinkMs: 90 * 24 * 3_600_000,
  /** Lifetime of a link to the preview of a site, at most. */
  maxPreviewLinkMs: 30 * 24 * 3_600_000,
  /** Links of one user at once, with the links of the user's keys, which may make madeKeysShare of them. */
  linksPerUser: 1_000,
  /** Links to one file at once. All of them are listed. */
  linksPerFile: 5_000,
  /** Lifetime of the preview of a site, by default and at most. */
  previewMs: 3_600_000,
  maxPreviewMs: 24 * 3_600_000,
  /** Larger pages and style sheets of a preview keep their links. */
  previewPageBytes: 1024 * 1024,
  /** The text that the links of one page of a preview may get in addition; beyond, the page keeps its links. */
  previewLinkBytes: 4 * 1024 * 1024,
  /** Sessions of one user; the least recently used session is evicted. */
  sessionsPerUser: 20,
  /** Time in which a new second factor must be confirmed; later another one is generated. */
  nextSecondFactorMs: 3_600_000,
  /** Recovery codes of one user at once. */
  recoveryCodes: 10,
  /** Lifetime of the first-start link, and of a link with which a user sets a password. */
  welcomeMs: 3_600_000,
  userLinkMs: 3 * 24 * 3_600_000,
  /** Links of the second kind that one user has made, and that have not expired. */
  userLinksPerMaker: 1_000,
  /** Former names of a user, which no other user can have. */
  formerNamesPerUser: 20,
  /** Roles of a site, and users of one of them, whom a change of the role changes in one commit. */
  roles: 100,
  usersPerRole: 2_000,
  /** API keys of one user, including inactive and expired keys. */
  keysPerUser: 1_000,
  /** Valid keys that were created by one key without the admin grant. */
  keysPerKey: 20,
  /** The part of keysPerUser that keys without the admin grant may create; the user can always create a key. */
  madeKeysShare: 1 / 2,
  /**
   * Keys that the keys of one user without the admin grant create, change and rotate in a window. Each is a row
   * of the audit trail, where they would otherwise displace the rows of other users (--audit-rows).
   */
  keyChanges: 300,
  keyChangesWindowMs: 3_600_000,
})
