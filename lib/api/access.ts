// GET /api/v2/access: whether a key or a user may do something, and if not, why.

import { readAccessDocs } from './docs/access-docs.ts'
import { CmsError } from '../base/errors.ts'
import { json } from '../http/reply.ts'
import { type AccessInput, actionsOf, readAccess } from '../operations/people/access.ts'
import type { ObjectRules } from '../operations/object-rules.ts'
import { readNumber, type Request, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

const PARAMETERS = ['api_key_id', 'user_id', 'object', 'id', 'action'] as const

export function accessRoutes(all: readonly ObjectRules[]): readonly Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/v2/access',
      access: 'key',
      summary: 'Check whether a key or a user may do something, and if not, why',
      docs: readAccessDocs(all.map((rules) => [rules.object.name, actionsOf(rules)])),
      read: (request) => readAsked(request, all),
      run: readAccess,
      reply: (access) => json(200, access),
    }),
  ]
}

function readAsked({ query }: Request, all: readonly ObjectRules[]): AccessInput {
  requireKnownParameters(query, PARAMETERS)
  const [keyId, userId] = [readNumber(query, 'api_key_id'), readNumber(query, 'user_id')]
  if ((keyId === undefined) === (userId === undefined))
    throw new CmsError('bad-request', 'Send exactly one of api_key_id and user_id.')
  const of = { kind: keyId === undefined ? 'user' : 'key', id: keyId ?? userId ?? 0 } as const

  const names = all.map(({ object }) => object.name)
  const rules = all.find(({ object }) => object.name === query.get('object'))
  if (rules === undefined) throw mustBe('object', names)
  const actions = actionsOf(rules)
  const action = actions.find((name) => name === query.get('action'))
  if (action === undefined) throw mustBe('action', actions)
  const id = readNumber(query, 'id')
  if (id === undefined)
    throw new CmsError('bad-request', 'Send id; for create, the id of the folder.')
  return { of, rules, action, id }
}

function mustBe(name: string, known: readonly string[]): CmsError {
  return new CmsError(
    'bad-request',
    `The query parameter ${name} must be one of ${known.join(', ')}.`,
  )
}
