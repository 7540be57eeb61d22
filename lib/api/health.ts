// /health: the process runs. /ready: the server accepts all requests; a 503 says why it does not. /metrics: metrics for
// Prometheus, which need a key because they reveal load and sizes.

import { requireEverywhere } from '../auth/grants.ts'
import { READ_METRICS, statusDocs } from './docs/service-docs.ts'
import { CmsError } from '../base/errors.ts'
import { json } from '../http/reply.ts'
import { VERSION } from '../base/version.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'
import type { Warning } from './warnings.ts'

/** Why the server does not accept all requests. */
export interface NotReady {
  readonly reason:
    | 'starting'
    | 'stopping'
    | 'storage-failed'
    | 'read-only'
    | 'storage-slow'
    | 'disk-full'
    | 'database-away'
    | 'store-away'
  readonly detail: string
}

export interface HealthSources {
  /** Undefined if the server accepts all requests. */
  readonly unready: () => NotReady | undefined
  readonly warnings: () => readonly Warning[]
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>
}

export function healthRoutes({ unready, warnings, metrics }: HealthSources): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health',
      access: 'open',
      renews: false,
      summary: 'Check that the process runs',
      docs: statusDocs('health', 'ok'),
      read: () => undefined,
      run: () => ({ status: 'ok' }),
      reply: (status) => json(200, status),
    }),
    defineRoute({
      method: 'GET',
      path: '/ready',
      access: 'open',
      renews: false,
      summary: 'Check that the server accepts requests',
      docs: statusDocs('ready', 'ready'),
      read: () => undefined,
      run: () => {
        const found = unready()
        if (found !== undefined)
          throw new CmsError('unavailable', found.detail, {
            headers: { 'retry-after': '1' },
            members: { reason: found.reason },
          })
        const told = warnings()
        return { status: 'ready', version: VERSION, ...(told.length > 0 && { warnings: told }) }
      },
      reply: (status) => json(200, status),
    }),
    defineRoute({
      method: 'GET',
      path: '/metrics',
      access: ['admin'],
      renews: false,
      summary: 'Read metrics for Prometheus',
      docs: READ_METRICS,
      answers: 'bytes',
      read: (request) => requireKnownParameters(request.query, []),
      run: (context) => {
        requireEverywhere(context.caller, 'admin', 'for the metrics')
        return metrics()
      },
      reply: ({ contentType, text }) => ({
        status: 200,
        headers: { 'content-type': contentType },
        body: text,
      }),
    }),
  ]
}
