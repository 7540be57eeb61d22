// Errors of import and export: a problem document from the server, no response, or a file on disk. The message
// is the detail, for the user at the terminal.

export interface ClientErrorFacts {
  /** Status of the response; 0 without a response. */
  readonly status?: number
  /** The members of the problem document. */
  readonly members?: Readonly<Record<string, unknown>>
  /** Delay from the Retry-After header. */
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}

export class ClientError extends Error {
  /** A code of the server's problem table, or one of the client: unreachable, changed, unreadable … */
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

// The server is busy, starting or stopping, or a proxy in front of such a server responds.
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
  // The original request, whose response was lost, is still running.
  'idempotency-key-in-use',
])

/** Whether the same request may succeed a little later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ClientError) {
    return TRANSIENT_STATUSES.has(error.status) || TRANSIENT_CODES.has(error.code)
  }
  return TRANSIENT_CODES.has(errnoOf(error) ?? '')
}

/** The key is not valid, or lacks a grant for the request. */
export const KEY_STATUSES: ReadonlySet<number> = new Set([401, 403])
const DISK_FULL_STATUS = 507
const FATAL_CODES = new Set(['unreachable', 'connection', 'not-a-content-server'])
const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT', 'EROFS'])

/** Whether every other file would fail for the same reason. A defect of this program counts as fatal. */
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
  EACCES: 'no permission to read or write it',
  EPERM: 'no permission to read or write it',
  ENOENT: 'it does not exist',
  ELOOP: 'it is now a symbolic link',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'a directory has this name',
  EMFILE: 'too many files are open at once: use a lower concurrency',
  ENAMETOOLONG: 'its name is too long for this file system',
  ENOSPC: 'the disk is full',
}
