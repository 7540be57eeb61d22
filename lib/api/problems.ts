// Errors on the wire: RFC 9457 problem details, and the page behind each type.

import { LIST_PROBLEMS, READ_PROBLEM } from '../docs/service-docs.ts'
import { CmsError, type ErrorCode, type Fault, PROBLEMS } from '../errors.ts'
import { html, type Reply } from '../http/reply.ts'
import { defineRoute, type Route } from './route.ts'

/** The answer to an error. Of an unknown one nothing is told: its reason is in the log, under the id. */
export function problemReply(error: unknown, requestId: string): Reply & { readonly body: string } {
  const known =
    error instanceof CmsError
      ? error
      : new CmsError(
          'internal',
          'The request changed nothing. Give the request_id to the operator.',
        )
  const { status, title } = PROBLEMS[known.code]
  const { errors, members, headers } = known.facts

  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      ...(status === 503 && { 'retry-after': '1' }),
      ...headers,
    },
    body: JSON.stringify({
      type: `/problems/${known.code}`,
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
    reply: () => html(200, page('Problems', list())),
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
    reply: (code) => html(200, page(PROBLEMS[code].title, describe(code))),
  }),
]

function requireCode(code: string): ErrorCode {
  if (Object.hasOwn(PROBLEMS, code)) return code as ErrorCode
  throw new CmsError('not-found', 'There is no problem of this name. /problems lists them all.')
}

function describe(code: ErrorCode): string {
  const { status, title, explanation } = PROBLEMS[code]
  return `<h1>${title}</h1><p><code>${code}</code>, status ${status}</p><p>${escape(explanation)}</p><p><a href="/problems">All problems</a></p>`
}

function list(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="/problems/${code}">${code}</a></td><td>${title}</td></tr>`,
  )
  return `<h1>Problems</h1><table><tr><th>Status</th><th>Code</th><th>Title</th></tr>${rows.join('')}</table>`
}

function page(title: string, body: string): string {
  const style =
    'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}td,th{text-align:left;padding:.2rem 1rem .2rem 0}'
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style><body>${body}</body></html>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
