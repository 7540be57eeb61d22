// Grants of keys, and the roles that are sets of grants.

export const GRANTS = ['view', 'create', 'modify', 'delete', 'stage', 'publish', 'admin'] as const

export type Grant = (typeof GRANTS)[number]

/**
 * Whether a list of grants includes this grant. `modify` includes `create`, because it suffices for every save.
 */
export function includesGrant(grants: readonly string[], grant: string): boolean {
  return grants.includes(grant) || (grant === 'create' && grants.includes('modify'))
}

export const ROLES = {
  viewer: ['view'],
  stager: ['view', 'create', 'modify', 'stage'],
  editor: ['view', 'create', 'modify', 'stage', 'publish', 'delete'],
  admin: GRANTS,
} as const satisfies Record<string, readonly Grant[]>

export type Role = keyof typeof ROLES

export const ROLE_NAMES = Object.keys(ROLES) as readonly Role[]

export function isRole(value: unknown): value is Role {
  return typeof value === 'string' && Object.hasOwn(ROLES, value)
}

/** The grants of own roles of the site, by name. */
export type RoleGrants = Readonly<Record<string, readonly Grant[]>>

/** The grants of a fixed role or of an own role of the site; none for an unknown role. */
export function grantsOfRole(
  role: string | null,
  own: RoleGrants | null | undefined,
): readonly Grant[] {
  if (isRole(role)) return ROLES[role]
  return role !== null && own !== null && own !== undefined && Object.hasOwn(own, role)
    ? (own[role] ?? [])
    : []
}

export function isGrant(value: unknown): value is Grant {
  return typeof value === 'string' && (GRANTS as readonly string[]).includes(value)
}
