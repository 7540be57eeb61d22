// What can go wrong between the page and the server: a problem that the server tells (RFC 9457), or no answer at all.

export interface Fault {
  /** Where in the body (RFC 6901): `/name`. */
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
  /** Of a 503 of /ready: why. */
  readonly reason: string | undefined
  /** Undefined: the server does not say when to try again. */
  readonly retrySeconds: number | undefined
  /** All that the problem tells, such as the identifier of who has the name. */
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

/** The server was not reached, and whether it did what it was asked for is not known. */
export class NoConnection extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause })
    this.name = 'NoConnection'
  }
}

/** As the server says it of an If-Match, of what a page finds out before it sends anything. */
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

/** Reads the body of an answer that is none of success. */
export async function readProblem(response: Response): Promise<Problem> {
  const { status, headers } = response
  const body = await readObject(response)
  const retry = Number(headers.get('retry-after') ?? Number.NaN)
  return new Problem({
    status,
    code: textOf(body['code']) ?? `status-${status}`,
    title: textOf(body['title']) ?? '',
    detail: textOf(body['detail']) ?? '',
    errors: faultsOf(body['errors']),
    requestId: textOf(body['request_id']),
    reason: textOf(body['reason']),
    retrySeconds: Number.isFinite(retry) ? retry : undefined,
    members: body,
  })
}

/** A proxy in front may answer with anything. */
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
