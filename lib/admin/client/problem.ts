// Errors between the page and the server: a problem document (RFC 9457), or no response at all.

export interface Fault {
  /** JSON pointer into the body (RFC 6901): `/name`. */
  readonly pointer: string
  readonly detail: string
}

interface ProblemFacts {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly errors: readonly Fault[]
  readonly requestId: string | undefined
  /** The reason of a 503 response of /ready. */
  readonly reason: string | undefined
  /** Undefined if the response has no Retry-After header. */
  readonly retrySeconds: number | undefined
  /** All members of the problem document, such as the identifier of the record that has the name. */
  readonly members: Readonly<Record<string, unknown>>
}

export class Problem extends Error {
  readonly facts: ProblemFacts

  constructor(facts: ProblemFacts) {
    super(facts.detail)
    this.name = 'Problem'
    this.facts = facts
  }

  get code(): string {
    return this.facts.code
  }
}

/** The server could not be reached, so the outcome of the request is unknown. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause })
    this.name = 'NoConnection'
  }
}

/** The problem of a failed If-Match, for conflicts that the page detects before it sends anything. */
export function changedSince(): Problem {
  return new Problem({
    status: 412,
    code: 'precondition-failed',
    title: '',
    detail: '',
    errors: [],
    requestId: undefined,
    reason: undefined,
    retrySeconds: undefined,
    members: {},
  })
}

/** Reads the body of an unsuccessful response. */
export async function readProblem(response: Response): Promise<Problem> {
  const { status, headers } = response
  const retry = Number(headers.get('retry-after') ?? Number.NaN)
  return problemFrom(await readObject(response), status, Number.isFinite(retry) ? retry : undefined)
}

/** A problem document as an error. A part of a larger response may also be a problem document. */
export function problemFrom(
  body: Readonly<Record<string, unknown>>,
  status: number,
  retrySeconds?: number,
): Problem {
  return new Problem({
    status,
    code: textOf(body['code']) ?? `status-${status}`,
    title: textOf(body['title']) ?? '',
    detail: textOf(body['detail']) ?? '',
    errors: faultsOf(body['errors']),
    requestId: textOf(body['request_id']),
    reason: textOf(body['reason']),
    retrySeconds,
    members: body,
  })
}

/** A proxy may respond with anything. */
async function readObject(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response.json().catch(() => undefined)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function faultsOf(value: unknown): readonly Fault[] {
  if (!Array.isArray(value)) return []
  return value.filter(isFault)
}

function isFault(value: unknown): value is Fault {
  if (typeof value !== 'object' || value === null) return false
  return 'pointer' in value && 'detail' in value && typeof value.detail === 'string'
}
