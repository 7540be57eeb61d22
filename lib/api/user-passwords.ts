// Passwords: users change their own password, and administrators set the passwords of other users, or make links by
// which these users set their passwords.

import {
  CHANGE_PASSWORD,
  MAKE_USER_LINK,
  REVOKE_USER_LINK,
  SET_PASSWORD,
} from './docs/session-docs.ts'
import { empty, json } from '../http/reply.ts'
import { changeOwnPassword, setPasswordOf } from '../operations/people/passwords.ts'
import { createUserLink, removeUserLink, userLinkPath } from '../operations/people/user-links.ts'
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
  defineRoute({
    method: 'POST',
    path: '/api/v2/user/:id/link',
    access: ['admin'],
    action: 'update',
    summary: 'Create a link with which a user sets a password',
    docs: MAKE_USER_LINK,
    read: (request) => {
      requireKnownParameters(request.query, [])
      return readId(request, 'id')
    },
    run: createUserLink,
    recall: 'secret',
    reply: ({ token, dateExpires }, _, { basePath }) =>
      json(
        201,
        { url: basePath + userLinkPath(token), token, date_expires: dateExpires },
        { 'cache-control': 'no-store, no-transform' },
      ),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v2/user/:id/link',
    access: ['admin'],
    action: 'update',
    summary: 'Revoke the link with which a user sets a password',
    docs: REVOKE_USER_LINK,
    read: (request) => {
      requireKnownParameters(request.query, [])
      return readId(request, 'id')
    },
    run: removeUserLink,
    reply: () => empty(204),
  }),
]
