// The limits of the interface, written down only here. Values that operators can set are in config.ts; a bound
// inside an algorithm is defined next to the algorithm.

import {
  MAX_BULK,
  MAX_BULK_VALUES,
  MAX_LIST_LENGTH,
  PASSWORD_CHARACTERS,
} from '../shared/limits.ts'
import { PEOPLE_LIMITS } from './people-limits.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** Limits that are part of the interface: raising a limit is a design decision, not a setting. */
export const LIMITS = Object.freeze({
  /** Body of an ordinary JSON request. */
  jsonBytes: 1 * MIB,
  /** Body of a JSON request that may carry pageContent, and the largest text that a read returns. */
  pageBytes: 16 * MIB,
  /** Text of a page as a JSON string, in which one byte can take six. Every text that can be posted can be read. */
  pageJsonBytes: 17 * MIB,
  /**
   * Entries of one request as JSON, both as sent and as written with defaults. One commit encodes them while
   * other commits wait. Larger content belongs in files.
   */
  entryBytes: 2 * MIB,
  /** Body of a search: enough for thousands of values in one $in. */
  searchBytes: 64 * KIB,
  /** Body with all saved views of a user. */
  savedViewsBytes: 64 * KIB,
  /**
   * Conditions of a search: as many as fit into the qry of an address, because each record is compared with all
   * of them.
   */
  searchKeys: 500,
  jsonDepth: 32,
  jsonKeys: 1_000,
  /** Keys of a record with a list of objects: enough for the most columns and the most roles. */
  nestedKeys: 8_000,
  /** Keys of all entries in one list, and of one entry with JSON: enough to report maxBulkValues even if it is far exceeded. */
  bulkKeys: 100_000,
  /** All pages of one list together, also as JSON, when fields asks for pageContent. */
  listPageBytes: 16 * MIB,
  /**
   * A body of at least this size is parsed, and a page of at least this size is encoded, in a worker instead of
   * the main thread.
   */
  inlineJsonBytes: 256 * KIB,
  /** Contents up to this size are stored in the commit of their version and become files later, many with few syncs. */
  inlineContentBytes: 128 * KIB,
  /** An upload up to this size is gathered in memory and written in one task. */
  inlineUploadBytes: 512 * KIB,
  /** Bodies of all requests together while they are in memory: JSON, and uploads that are gathered there. */
  bodyMemoryBytes: 256 * MIB,
  /** Part of bodyMemoryBytes that is reserved for small bodies, so that large bodies cannot block them. */
  smallBodyMemoryBytes: 32 * MIB,
  /** Largest small body: nearly every record and entry. A small body beyond a share there counts as a large body. */
  smallBodyBytes: 64 * KIB,
  /** Large responses of all requests together, in memory until their clients have read them. */
  answerMemoryBytes: 256 * MIB,
  /** Concurrent larger uploads, which are written to files as they arrive. */
  maxUploads: 64,
  /** Unfinished resumable uploads of all users, and of one user. */
  resumableUploads: 1_000,
  resumableUploadsPerUser: 100,
  /** Their declared bytes, in multiples of --max-upload-mb. */
  resumableSizes: 64,
  resumableSizesPerUser: 16,
  uploadMetadataBytes: 8 * KIB,
  /**
   * The part of each of these limits that one key, one user and one address may use. Requests beyond it get
   * 429, so that 503 means that the total is used up. A key gets enough for three of the largest bodies or a
   * hundred small uploads. A user gets more than one key, so that a busy key leaves room for the user's other
   * keys, and less than half, so that two users leave room for others. An address gets half, because many users
   * may share it. Running requests of one key and one user may take the same parts of --max-connections.
   */
  keyShare: 1 / 4,
  userShare: 3 / 8,
  addressShare: 1 / 2,
  /**
   * Stored records of one page of a list together, including computed members such as a path. The page ends
   * early if it would exceed this size.
   */
  listBytes: 16 * MIB,
  /**
   * Records that a search examines for one page. A search that has found no record yet continues, up to
   * searchMs.
   */
  scannedRecords: 100_000,
  /** Time that a search may take for one page that has no record yet, or whose pattern is matched in a worker. */
  searchMs: 2_000,
  listLength: 100,
  maxListLength: MAX_LIST_LENGTH,
  /** Page of a list for a reader without a key. */
  maxPublicListLength: 100,
  /** Fields that one list is sorted by: its cursors contain the values of all of them. */
  maxOrderFields: 4,
  /** Asset files that one request creates: their keys are within jsonKeys. */
  maxNewFiles: 50,
  /** Entries of a module that one request creates. */
  maxBulk: MAX_BULK,
  /**
   * Values of these entries together; each entry counts all fields that a client may give. Each value has a row
   * in an index, and all rows are written in one indivisible commit, for which other commits wait. Values of
   * unique columns count more, because they are looked up first (UNIQUE_WEIGHT).
   */
  maxBulkValues: MAX_BULK_VALUES,
  /** Parts of the modules in one API document, or the types of all modules: enough for 5,000 tables of ten columns. */
  documentBytes: 64 * MIB,
  /** Entries of a calendar from which one feed or one list of occurrences is built. */
  maxCalendarEntries: 20_000,
  /** Stored bytes of these entries, which are in memory together, and bytes of an imported file. */
  maxCalendarBytes: 64 * MIB,
  calendarFileBytes: 10 * MIB,
  /**
   * Work for the recurrence rules of one request, in days examined and starts found: one or two seconds of a
   * worker. The limit counts steps instead of time, so that the same request always gets the same response.
   */
  maxCalendarSteps: 5_000_000,
  uriBytes: 8 * KIB,
  headerBytes: 16 * KIB,
  headerCount: 100,
  formFieldBytes: 4 * KIB,
  /** Upload form without its file. */
  formBytes: 64 * KIB,
  /**
   * Bytes of an unwanted body that are read and discarded, so that the connection can be reused after the
   * response.
   */
  drainBytes: 1 * MIB,
  /**
   * How long data after a response is read and discarded, so that the client sees the response; then the
   * connection is closed.
   */
  dropTimeoutMs: 30_000,
  /** Large content is compared with its hash on download, at most this long after the previous comparison. */
  verifyEveryMs: 24 * 3_600_000,
  /** A retry with the same Idempotency-Key gets the same response for this long. */
  idempotencyMs: 24 * 3_600_000,
  /** Idempotency-Keys of one API key that are kept at once. */
  maxIdempotencyRows: 100_000,
  /** A larger response is not kept: a retry gets the current state of the records. */
  keptAnswerBytes: 64 * KIB,
  headersTimeoutMs: 10_000,
  /** A JSON body must have arrived within this time. */
  bodyTimeoutMs: 30_000,
  /** An upload or download that moves no byte for this long is ended. */
  stallTimeoutMs: 30_000,
  /**
   * An upload that delivers fewer than uploadWindowBytes in this time is ended, unless the server itself did
   * not read.
   */
  uploadWindowMs: 10_000,
  uploadWindowBytes: 10 * 1024,
  requestTimeoutMs: 3_600_000,
  keepAliveTimeoutMs: 5_000,
  /** Interval of the check of connection timeouts; Node's default of 30 s would lengthen each timeout by up to 30 s. */
  connectionsCheckMs: 1_000,
  /** Requests with invalid keys from one address or with one key before they get 429. */
  invalidKeys: 20,
  invalidKeysWindowMs: 60_000,
  /** Connections beyond the limit that wait for their refusal at once; further connections are closed without a response. */
  maxRefusedConnections: 256,
  /** Refused connections are closed after this time. */
  refusalTimeoutMs: 1_000,
  /** Addresses and keys that are tracked for invalidKeys and for their running requests. */
  addressTable: 10_000,
  /** Body of a request that holds a password: anybody may send such a request. */
  credentialBytes: 8 * KIB,
  minPasswordLength: PASSWORD_CHARACTERS,
  /** Different characters of a password: a password that repeats a few characters is as easy to guess as a short one. */
  minPasswordVariety: 5,
  maxPasswordBytes: 1 * KIB,
  /** Failed sign-in attempts with one name and from one address before they get 429. */
  signInFailures: 10,
  signInFailuresPerAddress: 30,
  signInWindowMs: 5 * 60_000,
  /**
   * Wrong authenticator codes that come with the right password. NIST SP 800-63B (5.2.2) allows at most a
   * hundred. Three codes of a million are valid at a time, so a day of guessing succeeds with a probability of
   * 1 in 3,000.
   */
  codeFailures: 100,
  codeWindowMs: 24 * 3_600_000,
  ...PEOPLE_LIMITS,
  /** Comments on one file or entry. */
  commentsPerTarget: 500,
  /** Mails of a site per minute, and mails that wait: of all users, and of the comments of one user. Further mentions get no mail. */
  mailsPerMinute: 60,
  mailsWaiting: 2_000,
  mailsOfWriter: 200,
  /** Time limit for one mail, from the connection to the last answer. */
  mailTimeoutMs: 30_000,
  /** Delay before the first retry of a mail; later delays are longer: operations/comments/mention-mails.ts. */
  mailRetryMs: 5_000,
  /** Retries of a mail end after this time. */
  mailGiveUpMs: 2 * 24 * 3_600_000,
  /** A node of a cluster counts as alive for this long after its last heartbeat; then other nodes take over its work. */
  nodeLivesMs: 6_000,
  /** Every webhook examines every change. */
  webhooks: 200,
  /** Concurrent deliveries of all webhooks; each webhook has at most one. */
  webhooksAtOnce: 32,
  /** Time limit for the response to a delivery. */
  webhookTimeoutMs: 15_000,
  /** Bytes of the response that are read, and bytes that the delivery log keeps. */
  webhookAnswerBytes: 64 * KIB,
  keptWebhookAnswerBytes: 1 * KIB,
  /** Delay before the first retry of a failed delivery; later delays are longer: operations/webhooks/delivery-progress.ts. */
  webhookRetryMs: 5_000,
  /** Retries of a delivery end after this time. */
  webhookGiveUpMs: 3 * 24 * 3_600_000,
  /** Deliveries of one webhook in its log, and how long they are kept. */
  webhookDeliveries: 1_000,
  webhookDeliveryMs: 30 * 24 * 3_600_000,
  /** Records of a subtree that one commit of a recursive delete removes. */
  purgeBatch: 200,
  /** Folders from the root, included, to the deepest folder. */
  maxFolderDepth: 64,
  /** Path of a folder in UTF-8; the path of a file adds a slash and its name. */
  maxPathBytes: 4 * KIB,
  /** How long a request may wait for a change. */
  maxWaitMs: 60_000,
  /**
   * The part of --max-connections that may be change streams. A stream counts for its key, user and address
   * like every running request. Because streams stay open, their part is smaller, so that a key with streams
   * can still send requests.
   */
  streamShare: 1 / 2,
  /** Bytes that wait for the client of one stream. A client that reads more slowly is cut off and resumes. */
  streamQueueBytes: 1 * MIB,
  /** Bytes that wait for the clients of all streams together; each key, user and address may use its part of them. */
  streamMemoryBytes: 128 * MIB,
  /** Interval of the heartbeats of a stream, which keep it from counting as stalled. */
  heartbeatMs: 15_000,
  /** A longer value of an entry is not stored in the history of the entry, which then has only its size. */
  historyValueBytes: 64 * KIB,
  /** Values that one commit adds to histories: an update of many entries must not write all of them twice. */
  historyCommitBytes: 1 * MIB,
  /** Changes of one entry in its history: a state of the past is computed from all later changes. */
  historyChanges: 10_000,
  /** Up to this number of entries, a new index is built before the change of columns is answered. */
  smallModule: 1_000,
})

export type Limits = { readonly [Name in keyof typeof LIMITS]: number }

/**
 * Limits of one of several processes: large responses of all processes together take no more memory than those
 * of a single process. The writer gets half, because it produces nearly all large responses. Bodies and uploads
 * are handled only by the writer.
 */
export function partOf(
  limits: Limits,
  { role, processes }: { readonly role: 'reads' | 'writes'; readonly processes: number },
): Limits {
  if (processes === 1) return limits
  const half = Math.floor(limits.answerMemoryBytes / 2)
  const answerMemoryBytes = role === 'writes' ? half : Math.floor(half / (processes - 1))
  // Connections are distributed evenly over the processes.
  const streamShare = limits.streamShare / processes
  const streamMemoryBytes = Math.floor(limits.streamMemoryBytes / processes)
  return { ...limits, answerMemoryBytes, streamShare, streamMemoryBytes }
}
