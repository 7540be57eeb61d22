// Passwords: users change their own password, and administrators set the passwords of other users.

import { CHANGE_PASSWORD, SET_PASSWORD } from './docs/session-docs.ts'
import { empty } from '../http/reply.ts'
import { changeOwnPassword, setPasswordOf } from '../operations/people/passwords.ts'
import { refuseField } from '../schema/check.ts'
import { readId, readKnownFields, requireKnownParameters } from './request/request.ts'
import { defineRoute, type Route } from './request/route.ts'

export const passwordRoutes: readonly Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/v2/me/password',
    access: 'key',
    isOfPerson: true,
    action: 'update',
    summary: 'Change the password of the signed-in user and end all other sessions',
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
    summary: 'Set or remove the password of a user and end all sessions of the user',
    docs: SET_PASSWORD,
    read: async (request) => {
      requireKnownParameters(request.query, [])
      const id = readId(request, 'id')
      const { password } = await readKnownFields(request, ['password'])
      if (password === undefined) refuseField('password', 'is required; null removes the password')
      return { id, password }
    },
    run: setPasswordOf,
    recall: 'same',
    reply: () => empty(204),
  }),
]
