// The second factor: users manage their own, and administrators may remove the second factor of other users.

import {
  BEGIN_SECOND_FACTOR,
  CONFIRM_SECOND_FACTOR,
  REMOVE_OWN_SECOND_FACTOR,
  REMOVE_SECOND_FACTOR,
  RENEW_RECOVERY_CODES,
} from './docs/second-factor-docs.ts'
import type { Proxies } from '../http/client-address.ts'
import { originOf } from '../http/origin.ts'
import { empty, json, type Reply } from '../http/reply.ts'
import type { Proof } from '../operations/people/reauthentication.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeOwnSecondFactor,
  removeSecondFactorOf,
  renewRecoveryCodes,
} from '../operations/people/second-factor.ts'
import { readKnownFields } from './request/known-fields.ts'
import { readId, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const OWN = '/api/v2/me/second_factor'

// oxlint-disable-next-line eslint/max-lines-per-function -- a table of routes
export function secondFactorRoutes(proxies: Proxies): readonly Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: OWN,
      access: 'key',
      action: 'update',
      summary: 'Create a second factor for the signed-in user; it is active after confirmation',
      docs: BEGIN_SECOND_FACTOR,
      read: async (request) => ({
        ...(await readProof(request)),
        issuer: issuerOf(originOf(request.message, proxies)),
      }),
      run: beginSecondFactor,
      recall: 'same',
      reply: ({ secret, uri }) => json(201, { secret, uri }),
    }),
    defineRoute({
      method: 'POST',
      path: `${OWN}/confirm`,
      access: 'key',
      action: 'update',
      summary: 'Confirm the second factor with a first code and end all other sessions',
      docs: CONFIRM_SECOND_FACTOR,
      read: async (request) => {
        requireKnownParameters(request.query, [])
        const { code } = await readKnownFields(request, ['code'])
        return { code }
      },
      run: confirmSecondFactor,
      recall: 'same',
      reply: shownCodes,
    }),
    defineRoute({
      method: 'POST',
      path: `${OWN}/remove`,
      access: 'key',
      action: 'update',
      summary: 'Remove the second factor of the signed-in user',
      docs: REMOVE_OWN_SECOND_FACTOR,
      read: readProof,
      run: removeOwnSecondFactor,
      recall: 'same',
      reply: () => empty(204),
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v2/me/recovery_codes',
      access: 'key',
      action: 'update',
      summary: 'Create new recovery codes; the old codes become invalid',
      docs: RENEW_RECOVERY_CODES,
      read: readProof,
      run: renewRecoveryCodes,
      recall: 'same',
      reply: shownCodes,
    }),
    defineRoute({
      method: 'POST',
      path: '/api/v2/user/:id/second_factor/remove',
      access: ['admin'],
      action: 'update',
      summary: 'Remove the second factor of a user',
      docs: REMOVE_SECOND_FACTOR,
      read: (request) => {
        requireKnownParameters(request.query, [])
        return readId(request, 'id')
      },
      run: removeSecondFactorOf,
      recall: 'same',
      reply: () => empty(204),
    }),
  ]
}

async function readProof(request: Request): Promise<Proof> {
  requireKnownParameters(request.query, [])
  const { password, code } = await readKnownFields(request, ['password', 'code'])
  return { password, code }
}

function shownCodes(codes: readonly string[]): Reply {
  return json(201, { recovery_codes: codes })
}

/** The name of the site in an authenticator app. The name must not contain a colon. */
function issuerOf(origin: string): string {
  const { hostname } = new URL(origin)
  return hostname.includes(':') ? 'cms-server' : hostname
}
