// The roles that there are, as sets of grants. The server has the same: test/admin/users.test.ts compares.

import { type Grant, GRANTS } from '../../client/me.ts'

export const ROLES = {
  viewer: ['view'],
  stager: ['view', 'create', 'modify', 'stage'],
  editor: ['view', 'create', 'modify', 'delete', 'stage', 'publish'],
  admin: GRANTS,
} as const satisfies Readonly<Record<string, readonly Grant[]>>

export type Role = keyof typeof ROLES

export const ROLE_NAMES = ['viewer', 'stager', 'editor', 'admin'] as const
