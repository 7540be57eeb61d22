// POST /api/v2/stml/check: the faults of a text that is being written.

import { CHECK_STML } from './docs/stml-docs.ts'
import { json } from '../http/reply.ts'
import { findStmlFaults } from '../operations/files/stml-check.ts'
import { refuseField } from '../schema/check.ts'
import { readKnownFields } from './request/known-fields.ts'
import { requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const stmlRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/stml/check',
    access: 'key',
    // A text is too long for an address.
    changesNothing: true,
    summary: 'The faults of a text of type stml, which is not saved',
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
