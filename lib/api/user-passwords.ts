// Passwords: everybody's own, and those that an administrator sets for others.

import { CHANGE_PASSWORD, SET_PASSWORD } from './docs/session-docs.ts'
import { empty } from '../http/reply.ts'
import { changeOwnPassword, setPasswordOf } from '../operations/people/passwords.ts'
import { refuseField } from '../schema/check.ts'
import { readKnownFields } from './request/known-fields.ts'
import { readId, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const passwordRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/me/password',
    access: 'key',
    action: 'update',
    summary: 'Change the password of whoever has signed in; all other sessions end',
    docs: CHANGE_PASSWORD,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const body = await readKnownFields(request, ['password', 'new_password'])
      return { password: body['password'], newPassword: body['new_password'] }
    },
    run: changeOwnPassword,
    recall: 'same',
    reply: () => empty(204),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v2/user/:id/password',
    access: ['admin'],
    action: 'update',
    summary: 'Set the password of a user, or take it away; all sessions of the user end',
    docs: SET_PASSWORD,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const id = readId(request, 'id')
      const { password } = await readKnownFields(request, ['password'])
      if (password === undefined) refuseField('password', 'is required; null takes it away')
      return { id, password }
    },
    run: setPasswordOf,
    recall: 'same',
    reply: () => empty(204),
  }),
]
