// Rotation of API keys: POST /api/v2/api_key/{id}/rotate.

import { ROTATE_KEY } from './docs/service-docs.ts'
import { parseDuration, rotateKey } from '../operations/people/api-keys.ts'
import { keyVisibility } from '../operations/people/key-visibility.ts'
import { refuseField, requireObject } from '../schema/check.ts'
import { recordReply } from './request/record-reply.ts'
import { readId, readPrecondition, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

/** Without keep_old, the old secret expires at once. */
const KEEP_NOTHING = 0

export const apiKeyRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/api_key/:id/rotate',
    access: 'key',
    action: 'rotate',
    summary:
      'Create a new secret for a key; the old secret stays valid for keep_old (30d, 12h, 90s or seconds)',
    docs: ROTATE_KEY,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const id = readId(request, 'id')
      const precondition = readPrecondition(request)
      return { id, precondition, keepSeconds: readKeep(await request.json(undefined, true)) }
    },
    run: (context, input) => rotateKey(context, input),
    recall: 'secret',
    reply: ({ stored, secret }, request, context) =>
      recordReply(context, request, {
        status: 200,
        visibility: keyVisibility,
        stored,
        extra: { secret },
      }),
  }),
]

function readKeep(body: unknown): number {
  if (body === undefined) return KEEP_NOTHING
  const { keep_old: keep, ...rest } = requireObject(body)
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) refuseField(unknown, 'is not known here; the only field is keep_old')
  if (keep === undefined || keep === null) return KEEP_NOTHING
  return parseDuration(keep, 'keep_old')
}
