// POST /api/v2/stml/check: finds the errors of a text that is being edited.

import { CHECK_STML } from './docs/stml-docs.ts'
import { json } from '../http/reply.ts'
import { findStmlFaults } from '../operations/files/stml-pages.ts'
import { refuseField } from '../schema/check.ts'
import { readKnownFields } from './request/known-fields.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const stmlRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/stml/check',
    access: 'key',
    // The method is POST because a text is too long for a URL.
    changesNothing: true,
    summary: 'Check a text of type stml without saving it',
    docs: CHECK_STML,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const { pageContent } = await readKnownFields(request, ['pageContent'], 'page')
      if (typeof pageContent !== 'string') refuseField('pageContent', 'must be text')
      return pageContent
    },
    run: findStmlFaults,
    reply: (faults) => json(200, { faults }),
  }),
]
