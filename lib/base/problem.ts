// A kind of problem: status, title and explanation.

export interface Problem {
  readonly status: number
  readonly title: string
  /** Shown at /problems/<code>: what happened, and what the caller can do about it. */
  readonly explanation: string
}

/** An entry of problem-table.ts. */
export function problem(status: number, title: string, explanation: string): Problem {
  return { status, title, explanation }
}
