// The roles as sets of grants. test/admin/users.test.ts compares them with the server.

import { type Grant, GRANTS } from '../../client/me.ts'

export const ROLES = {
  viewer: ['view'],
  stager: ['view', 'create', 'modify', 'stage'],
  editor: ['view', 'create', 'modify', 'delete', 'stage', 'publish'],
  admin: GRANTS,
} as const satisfies Readonly<Record<string, readonly Grant[]>>

export type Role = keyof typeof ROLES

export const ROLE_NAMES = ['viewer', 'stager', 'editor', 'admin'] as const
