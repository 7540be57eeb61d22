// The grants there are, and the roles that are sets of them. The server has the same: test/admin/grants.test.ts compares.

import type { Grant } from '../../client/me.ts'

export const GRANTS: readonly Grant[] = [
  'view',
  'create',
  'modify',
  'delete',
  'stage',
  'publish',
  'admin',
]

export const ROLES = {
  viewer: ['view'],
  stager: ['view', 'create', 'modify', 'stage'],
  editor: ['view', 'create', 'modify', 'delete', 'stage', 'publish'],
  admin: GRANTS,
} as const satisfies Readonly<Record<string, readonly Grant[]>>

export type Role = keyof typeof ROLES

export const ROLE_NAMES = ['viewer', 'stager', 'editor', 'admin'] as const
