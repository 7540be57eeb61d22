// Errors on the wire: RFC 9457 problem details, and the page behind each type.

import { PROBLEM_POLICY, problemListPage, problemPage } from '../docs/problem-page.ts'
import { LIST_PROBLEMS, READ_PROBLEM } from './docs/service-docs.ts'
import { CmsError, type ErrorCode, type Fault, PROBLEMS } from '../base/errors.ts'
import { withBasePath } from '../http/base-path.ts'
import type { Reply } from '../http/reply.ts'
import { defineRoute, type Route } from './request/route.ts'

export interface Asked {
  readonly requestId: string
  /** In front of every path of this server: see http/base-path.ts. */
  readonly basePath: string
}

/** The answer to an error. Of an unknown one nothing is told: its reason is in the log, under the id. */
export function problemReply(
  error: unknown,
  { requestId, basePath }: Asked,
): Reply & { readonly body: string } {
  const known =
    error instanceof CmsError
      ? error
      : new CmsError(
          'internal',
          'The request changed nothing. Give the request_id to the operator.',
        )
  const { status, title } = PROBLEMS[known.code]
  const { errors, members, headers } = known.facts

  const own = withBasePath(basePath, headers ?? {})
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 503 && { 'retry-after': '1' }),
      ...own,
    },
    body: JSON.stringify({
      type: `${basePath}/problems/${known.code}`,
      title,
      status,
      detail: known.message,
      code: known.code,
      request_id: requestId,
      ...(errors && { errors: shorten(errors) }),
      ...members,
    }),
  }
}

/** Enough to mend a client by; a body may be wrong throughout. */
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
    summary: 'Every problem that an answer can name',
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
    summary: 'What a problem means, and what to do about it',
    docs: READ_PROBLEM,
    answers: 'bytes',
    read: ({ params }) => params['code'] ?? '',
    run: (_, code) => requireCode(code),
    reply: (code) => page(problemPage(code)),
  }),
]

function requireCode(code: string): ErrorCode {
  if (Object.hasOwn(PROBLEMS, code)) return code as ErrorCode
  throw new CmsError('not-found', 'There is no problem of this name. /problems lists them all.')
}

function page(body: string): Reply {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PROBLEM_POLICY,
  }
  return { status: 200, headers, body }
}
