// GET /api/v2/me: tells a client whether its key works and what it may do.

import { READ_ME } from './docs/me-docs.ts'
import { json } from '../http/reply.ts'
import { readMe } from '../operations/people/me.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const meRoutes: readonly Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/v2/me',
    access: 'key',
    summary: 'Read the key of this request, its user, and its grants',
    docs: READ_ME,
    read: ({ query }) => requireKnownParameters(query, []),
    run: (context) => readMe(context),
    reply: (me) => json(200, me),
  }),
]
