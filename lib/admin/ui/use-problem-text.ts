// Describes errors in the language of the page.

import { NoConnection, Problem } from '../client/problem.ts'
import { fill } from '../texts/fill.ts'
import { type Speech, useTexts } from '../texts/use-texts.ts'

const MINUTE = 60

export interface ProblemText {
  readonly title: string
  /** The server's English detail; undefined if it adds nothing. */
  readonly detail: string | undefined
}

export function useProblemText(): (error: unknown) => ProblemText {
  const speech = useTexts()
  return (error) => problemText(error, speech)
}

function problemText(error: unknown, speech: Speech): ProblemText {
  const { problems, refusals } = speech.t
  if (error instanceof NoConnection) return { title: problems['no-connection'], detail: undefined }
  if (!(error instanceof Problem)) return { title: problems.unknown, detail: messageOf(error) }
  const { code, title, detail, retrySeconds } = error.facts
  const texts: Readonly<Record<string, unknown>> = { ...refusals, ...problems }
  const own = texts[code]
  const isOwn = typeof own === 'string'
  const told = isOwn ? own : title || problems.unknown
  return {
    title:
      retrySeconds === undefined || NOT_SOLVED_BY_WAITING.has(code)
        ? told
        : withWait(told, retrySeconds, speech),
    detail: isOwn && SAID_ENOUGH.has(code) ? undefined : detail || undefined,
  }
}

/** Problems whose details are written for programs. */
const SAID_ENOUGH: ReadonlySet<string> = new Set([
  'code-required',
  'code-wrong',
  'link-over',
  'session-over',
  'sign-in-failed',
  'too-many-requests',
  'unavailable',
])

/** The server sends Retry-After with every 503, but a retry in a second does not solve these problems. */
const NOT_SOLVED_BY_WAITING: ReadonlySet<string> = new Set([
  'oidc-unavailable',
  'outcome-unknown',
  'read-only',
])

function withWait(problem: string, seconds: number, { t, formats }: Speech): string {
  const { retryIn, seconds: inSeconds, minutes } = t.problems
  const isLong = seconds > 2 * MINUTE
  const wait = formats.count(
    isLong ? minutes : inSeconds,
    isLong ? Math.ceil(seconds / MINUTE) : seconds,
  )
  return fill(retryIn, { problem, wait })
}

function messageOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined
}
