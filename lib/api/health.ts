// /health: the process lives. /ready: it takes requests; 503 while it drains or its storage failed.

import { statusDocs } from '../docs/service-docs.ts'
import { CmsError } from '../errors.ts'
import { json } from '../http/reply.ts'
import { defineRoute, type Route } from './route.ts'

/** Why the server takes no requests; undefined when it does. */
export type Unready = () => string | undefined

export function healthRoutes(unready: Unready): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/health',
      access: 'open',
      summary: 'The process lives',
      docs: statusDocs('health', 'ok'),
      read: () => undefined,
      run: () => ({ status: 'ok' }),
      reply: (status) => json(200, status),
    }),
    defineRoute({
      method: 'GET',
      path: '/ready',
      access: 'open',
      summary: 'The server takes requests',
      docs: statusDocs('ready', 'ready'),
      read: () => undefined,
      run: () => {
        const reason = unready()
        if (reason !== undefined) throw new CmsError('unavailable', reason)
        return { status: 'ready' }
      },
      reply: (status) => json(200, status),
    }),
  ]
}
