// The limits of the interface: the only place where they are written down. What an operator may set is in
// config.ts; a bound inside an algorithm stands beside it.

const KIB = 1024
const MIB = 1024 * KIB

/** Limits that are part of the interface: raising one is a decision, not a setting. */
export const LIMITS = Object.freeze({
  /** Body of an ordinary JSON request. */
  jsonBytes: 1 * MIB,
  /** Body of a JSON request that may carry pageContent, and the largest text that a read returns. */
  pageBytes: 16 * MIB,
  /**
   * Of the text of a page as a JSON string, in which one byte can be six: what could be posted can be read,
   * and nothing that is longer.
   */
  pageJsonBytes: 17 * MIB,
  /**
   * Of the entries that one request sends, and of those that it writes, defaults included, as JSON: one commit
   * encodes them, while others wait. Larger content goes into files.
   */
  entryBytes: 4 * MIB,
  /** A search in a body has at most so many bytes: enough for thousands of values in one $in. */
  searchBytes: 64 * KIB,
  /** Its conditions: as many as fit into the qry of an address, because each record is compared with all of them. */
  searchKeys: 500,
  jsonDepth: 32,
  jsonKeys: 1_000,
  /** Of a record with a list of objects in it: enough for the most columns, and for the most roles. */
  nestedKeys: 4_000,
  /** Of all entries in one list: enough to tell of maxBulkValues where it is far exceeded. */
  bulkKeys: 300_000,
  /** All pages of one list together, also as JSON, when fields asks for pageContent. */
  listPageBytes: 16 * MIB,
  /** From here on a body is parsed, and a page is encoded, in a worker instead of the main thread. */
  inlineJsonBytes: 256 * KIB,
  /** Up to this size bytes ride in the commit of their version and become a file later, many with few syncs. */
  carriedBytes: 128 * KIB,
  /** An upload up to this size is gathered in memory and written in one task. */
  inlineUploadBytes: 512 * KIB,
  /** Bodies of all requests together while they are in memory: JSON, and uploads that are gathered there. */
  bodyMemoryBytes: 256 * MIB,
  /** Of it for small bodies alone, which get through whatever large ones are doing. */
  smallBodyMemoryBytes: 32 * MIB,
  /** The largest of those: nearly every record and entry. What is over a share there counts as a large one. */
  smallBodyBytes: 64 * KIB,
  /** Large answers that are in memory until their clients have read them, together. */
  answerMemoryBytes: 256 * MIB,
  /** Larger uploads, which go to files as they come, at once. */
  maxUploads: 64,
  /**
   * Of each of these one key, one user and one address may have a part; what is more gets 429, so that 503 is
   * left to where all together is used up. One key: three of the largest bodies, or a hundred small uploads.
   * One user: more than one key, so that a key which takes all of its own leaves its siblings some, and less
   * than half, so that two leave some for the others. One address: half, as many users may be behind it.
   * Of --max-connections one key and one user may have as much in requests that run.
   */
  keyShare: 1 / 4,
  userShare: 3 / 8,
  addressShare: 1 / 2,
  /**
   * Stored records of one page of a list together, and what is reckoned for the answer, such as a path: the
   * page ends early where it would exceed them.
   */
  listBytes: 16 * MIB,
  /** Records that a search looks at for one page; it goes on, up to searchMs, while it has found none. */
  scannedRecords: 100_000,
  /** Time that a search takes for one page which has no record yet, or whose pattern is matched in a worker. */
  searchMs: 2_000,
  listLength: 100,
  maxListLength: 1_000,
  /** Fields that one list is sorted by: the values of all are in its cursors. */
  maxOrderFields: 4,
  /** Asset files that one request creates: their keys are within jsonKeys. */
  maxNewFiles: 100,
  /** Entries of a module that one request creates. */
  maxBulk: 1_000,
  /**
   * Their values together, each entry counting all fields that a client may give. Each has a row in an index, and
   * all are written in one commit, which cannot be divided: others wait for as long. Those of unique columns
   * count twice, as they are looked up before.
   */
  maxBulkValues: 5_000,
  /** Entries of a calendar that one feed, or one list of occurrences, is made from. */
  maxCalendarEntries: 20_000,
  /** Their stored bytes, which are in memory together. */
  maxCalendarBytes: 64 * MIB,
  /**
   * Of work that the rules of one request may be, in days that are looked at and starts that are found: one or
   * two seconds of a worker. Steps and no time, so that the same request always gets the same answer.
   */
  maxCalendarSteps: 5_000_000,
  uriBytes: 8 * KIB,
  headerBytes: 16 * KIB,
  headerCount: 100,
  formFieldBytes: 4 * KIB,
  /** Of an upload form, beside its file. */
  formBytes: 64 * KIB,
  /** Bytes of an unwanted body that are read and dropped, so that the connection goes on after the answer. */
  drainBytes: 1 * MIB,
  /** So long what follows an answer is read and dropped, so that the client sees the answer; then the connection ends. */
  dropTimeoutMs: 30_000,
  /** Large content is compared with its hash when it is downloaded, at least this often. */
  verifyEveryMs: 24 * 3_600_000,
  /** A retry under the same Idempotency-Key gets the same answer for this long. */
  idempotencyMs: 24 * 3_600_000,
  /** Idempotency-Keys of one API key that are kept at once. */
  maxIdempotencyRows: 100_000,
  /** A larger answer is not kept: a retry is told what the records are then. */
  keptAnswerBytes: 64 * KIB,
  headersTimeoutMs: 10_000,
  /** A JSON body must have arrived within this time. */
  bodyTimeoutMs: 30_000,
  /** An upload or download that moves no byte for this long is ended. */
  stallTimeoutMs: 30_000,
  /** An upload of which fewer bytes come in such a time is ended, unless it was the server that did not read. */
  uploadWindowMs: 10_000,
  uploadWindowBytes: 10 * 1024,
  requestTimeoutMs: 3_600_000,
  keepAliveTimeoutMs: 5_000,
  /** Timeouts of connections are looked at this often; Node's own 30 s would stretch each by as much. */
  connectionsCheckMs: 1_000,
  /** Requests with keys that are not valid, of one address or with one key, before they get 429. */
  invalidKeys: 20,
  invalidKeysWindowMs: 60_000,
  /** Connections too many that wait for their refusal at once; more are closed without one. */
  maxRefusedConnections: 256,
  /** By then they are closed. */
  refusalTimeoutMs: 1_000,
  /** Addresses and keys that are remembered for invalidKeys, and counted for what they run. */
  addressTable: 10_000,
  /** Body of a request that holds a password: anybody may send one. */
  credentialBytes: 8 * KIB,
  /** Characters of a password, and its bytes. */
  minPasswordLength: 12,
  /** Different characters of a password: one that repeats a few is guessed like a short one. */
  minPasswordVariety: 5,
  maxPasswordBytes: 1 * KIB,
  /** Attempts to sign in that fail, with one name and from one address, before they get 429. */
  signInFailures: 10,
  signInFailuresPerAddress: 30,
  signInWindowMs: 5 * 60_000,
  /**
   * Wrong codes of an authenticator that come with the right password: a hundred at most, says NIST SP 800-63B (5.2.2). Three
   * codes of a million are good at a time, so a day of guessing finds one in 3,000 times.
   */
  codeFailures: 100,
  codeWindowMs: 24 * 3_600_000,
  /** A session ends when it was not used for the first, and at last after the second of these. */
  sessionIdleMs: 24 * 3_600_000,
  sessionMs: 14 * 24 * 3_600_000,
  /** The secrets of a session: each page that is open gets one, and another before its end. */
  sessionSecretMs: 10 * 60_000,
  secretsPerSession: 16,
  /** An address with a ticket is good for so long: as long as a page takes to load what it shows. */
  ticketMs: 5 * 60_000,
  /** Of one user; the one that was used least lately makes room for the next. */
  sessionsPerUser: 20,
  /** By then a second factor that was shown is put in force, or another one is shown. */
  nextSecondFactorMs: 3_600_000,
  /** Of one user at once. */
  recoveryCodes: 10,
  /** How long the link of the first start is good. */
  welcomeMs: 3_600_000,
  /** API keys of one user, those that are inactive or over among them. */
  keysPerUser: 1_000,
  /** Keys that a key without the grant admin has made and that are in force. */
  keysPerKey: 20,
  /** The part of keysPerUser that keys without the grant admin may make, so that its person can always make one. */
  madeKeysShare: 1 / 2,
  /**
   * Keys that the keys of one user without the grant admin make, change and rotate in a window. Each is a row of the audit trail, in which they
   * would otherwise push out the rows of others (--audit-rows).
   */
  keyChanges: 300,
  keyChangesWindowMs: 3_600_000,
  /** So long a node of a cluster counts as living after it was heard last: then others go on with its work. */
  nodeLivesMs: 6_000,
  /** Each looks at every change. */
  webhooks: 200,
  /** Deliveries of all webhooks that are on their way at once; of one webhook it is one. */
  webhooksAtOnce: 32,
  /** By then the answer to a delivery is there. */
  webhookTimeoutMs: 15_000,
  /** What is read of it, and what the log of deliveries keeps. */
  webhookAnswerBytes: 64 * KIB,
  keptWebhookAnswerBytes: 1 * KIB,
  /** A delivery that has failed is tried again after this, and later after more: operations/webhooks/retry-times.ts. */
  webhookRetryMs: 5_000,
  /** For so long. */
  webhookGiveUpMs: 3 * 24 * 3_600_000,
  /** Deliveries of one webhook that its log tells of, and for how long. */
  webhookDeliveries: 1_000,
  webhookDeliveryMs: 30 * 24 * 3_600_000,
  /** Records of a subtree that one commit of a recursive delete removes. */
  purgeBatch: 200,
  /** Folders from the root, which is one of them, to the deepest. */
  maxFolderDepth: 64,
  /** Path of a folder in UTF-8; that of a file has a slash and its name besides. */
  maxPathBytes: 4 * KIB,
  /** How long a request may wait for a change. */
  maxWaitMs: 60_000,
  /**
   * The part of --max-connections that may be streams of changes. A stream counts for its key, user and address like every
   * request that runs; because it stays open, fewer of these may be streams, so that a key which streams can still ask.
   */
  streamShare: 1 / 2,
  /** Bytes that wait for the client of one stream. A client that reads more slowly is cut off and resumes. */
  streamQueueBytes: 1 * MIB,
  /** Bytes that wait for the clients of all streams together; each key, user and address may have its part of them. */
  streamMemoryBytes: 128 * MIB,
  /** So often something is sent on each, within the time after which it would count as stalled. */
  heartbeatMs: 15_000,
  /** Up to this number of entries a new index is built before the change of columns is answered. */
  smallModule: 1_000,
})

export type Limits = { readonly [Name in keyof typeof LIMITS]: number }

/**
 * Of one process of several: large answers of all of them together take no more memory than those of one process. Half
 * of it is for the one that writes, which makes nearly all of them; bodies and uploads are in that one alone.
 */
export function partOf(
  limits: Limits,
  { role, processes }: { readonly role: 'reads' | 'writes'; readonly processes: number },
): Limits {
  if (processes === 1) return limits
  const half = Math.floor(limits.answerMemoryBytes / 2)
  const answerMemoryBytes = role === 'writes' ? half : Math.floor(half / (processes - 1))
  // Connections go round the processes.
  const streamShare = limits.streamShare / processes
  const streamMemoryBytes = Math.floor(limits.streamMemoryBytes / processes)
  return { ...limits, answerMemoryBytes, streamShare, streamMemoryBytes }
}
