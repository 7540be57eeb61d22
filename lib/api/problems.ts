// Errors in responses: RFC 9457 problem details, and the page that each type URL points to.

import { PROBLEM_POLICY, problemListPage, problemPage } from '../docs/problem-page.ts'
import { LIST_PROBLEMS, READ_PROBLEM } from './docs/service-docs.ts'
import { CmsError, type ErrorCode, type Fault } from '../base/errors.ts'
import { PROBLEMS } from '../base/problem-table.ts'
import { withBasePath } from '../http/base-path.ts'
import type { Reply } from '../http/reply.ts'
import { defineRoute, type Route } from './request/route.ts'

export interface Asked {
  readonly requestId: string
  /** The prefix of every path of this server: see http/base-path.ts. */
  readonly basePath: string
}

/** The response to an error. It reveals nothing about an unknown error: the log has the cause, by request id. */
export function problemReply(error: unknown, asked: Asked): Reply & { readonly body: string } {
  const known =
    error instanceof CmsError
      ? error
      : new CmsError(
          'internal',
          'The request changed nothing. Give the request_id to the operator.',
        )
  const own = withBasePath(asked.basePath, known.facts.headers ?? {})
  return {
    status: known.status,
    headers: {
      'content-type': 'application/problem+json',
      ...(known.status === 503 && { 'retry-after': '1' }),
      ...own,
    },
    body: JSON.stringify(problemOf(known, asked)),
  }
}

/** The problem document of an error. */
export function problemOf(
  { code, message, facts }: CmsError,
  { requestId, basePath }: Asked,
): object {
  const { status, title } = PROBLEMS[code]
  const { errors, members } = facts
  return {
    type: `${basePath}/problems/${code}`,
    title,
    status,
    detail: message,
    code,
    request_id: requestId,
    ...(errors && { errors: shorten(errors) }),
    ...members,
  }
}

/** Limits the list, because every value of a large body may be wrong. */
const MAX_ERRORS = 100

function shorten(errors: readonly Fault[]): readonly Fault[] {
  if (errors.length <= MAX_ERRORS) return errors
  const shown = errors.slice(0, MAX_ERRORS - 1)
  const detail = `and ${errors.length - shown.length} more faults, which are not listed`
  return [...shown, { pointer: '', detail }]
}

export const problemRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/problems',
    access: 'open',
    summary: 'List all problem codes',
    docs: LIST_PROBLEMS,
    answers: 'bytes',
    read: () => undefined,
    run: () => undefined,
    reply: () => page(problemListPage()),
  }),
  defineRoute({
    method: 'GET',
    path: '/problems/:code',
    access: 'open',
    summary: 'Explain a problem and what to do about it',
    docs: READ_PROBLEM,
    answers: 'bytes',
    read: ({ params }) => params['code'] ?? '',
    run: (_, code) => requireCode(code),
    reply: (code) => page(problemPage(code)),
  }),
]

function requireCode(code: string): ErrorCode {
  if (Object.hasOwn(PROBLEMS, code)) return code as ErrorCode
  throw new CmsError('not-found', 'There is no problem with this code. /problems lists all codes.')
}

function page(body: string): Reply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PROBLEM_POLICY,
  }
  return { status: 200, headers, body }
}
