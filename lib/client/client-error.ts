// What goes wrong in import and export: an answer that is a problem document, a server that gives
// none, or a file on disk. The message is the detail, for the person at the terminal.

export interface ClientErrorFacts {
  /** Of the answer; 0 when there was none. */
  readonly status?: number
  /** The members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>
  /** What the header Retry-After asked for. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

export class ClientError extends Error {
  /** Of the server's problem table, or one of this side: unreachable, changed, unreadable … */
  readonly code: string
  readonly status: number
  readonly members: Readonly<Record<string, unknown>>
  readonly retryAfterMs: number | undefined

  constructor(code: string, detail: string, facts: ClientErrorFacts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'ClientError'
    this.code = code
    this.status = facts.status ?? 0
    this.members = facts.members ?? {}
    this.retryAfterMs = facts.retryAfterMs
  }
}

// Busy, starting, stopping, or a proxy before a server that is one of these.
const TRANSIENT_STATUSES = new Set([429, 502, 503, 504])

const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  // The request whose answer was lost is not through yet.
  'idempotency-key-in-use',
])

/** Whether the same request may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ClientError) {
    return TRANSIENT_STATUSES.has(error.status) || TRANSIENT_CODES.has(error.code)
  }
  return TRANSIENT_CODES.has(errnoOf(error) ?? '')
}

/** The key is not valid, or may not do this. */
export const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403])
const DISK_FULL_STATUS = 507
const FATAL_CODES = new Set(['unreachable', 'connection', 'not-a-content-server'])
const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** Whether every other file would fail for the same reason; a defect of this program is one too. */
export function isFatal(error: unknown): boolean {
  if (error instanceof ClientError) {
    const { status, code } = error
    return KEY_STATUSES.has(status) || status === DISK_FULL_STATUS || FATAL_CODES.has(code)
  }
  const errno = errnoOf(error)
  return errno === undefined || FULL_DISK_CODES.has(errno)
}

/** The reason in one line. */
export function reasonOf(error: unknown): string {
  if (error instanceof ClientError) return error.message
  const errno = errnoOf(error)
  if (errno !== undefined) return FILE_REASONS[errno] ?? `it cannot be read or written (${errno})`
  return error instanceof Error ? error.message : String(error)
}

export function errnoOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const FILE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'the permission to read or write it is missing',
  EPERM: 'the permission to read or write it is missing',
  ENOENT: 'it is not there',
  ELOOP: 'it has become a symbolic link',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'a directory has this name',
  EMFILE: 'too many files are open at once: use a lower concurrency',
  ENAMETOOLONG: 'its name is too long for this disk',
  ENOSPC: 'the disk is full',
}
