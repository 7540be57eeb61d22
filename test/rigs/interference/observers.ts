// The restricted keys that observe a site, and the parts that each key cannot see.

/** The folders of the base site by their purpose: see world.ts. */
export type FolderName =
  | 'main'
  | 'modules'
  | 'upper'
  | 'beside'
  | 'elsewhere'
  | 'scope'
  | 'inner'
  | 'low'
  | 'straying'
  | 'closed'
  | 'withheld'
  | 'withheldLow'

export type Folders = Readonly<Record<FolderName, number>>

/**
 * outside: everything outside the scope. closed: hidden folders below the scope. withheld: a hidden
 * folder outside the scope. people: other users and their keys.
 */
export type Hidden = 'outside' | 'closed' | 'withheld' | 'people'

export interface Observer {
  readonly name: string
  /** Undefined means the first administrator. */
  readonly user?: {
    readonly role: string | null
    readonly roles: Readonly<Partial<Record<FolderName, string | null>>>
  }
  /** Null means all grants of the user. */
  readonly grants: readonly string[] | null
  readonly scope?: FolderName
  readonly hidden: readonly Hidden[]
  /**
   * The key has full access at first, sends requests under Idempotency-Keys, and is then
   * restricted.
   */
  readonly isNarrowedLater?: true
  /** Sends requests without a key, to the public parts of public-world.ts and to everything else. */
  readonly isNobody?: true
}

const WITHHELD = { withheld: null, closed: null, low: null, straying: null } as const
const OUTSIDE = ['outside', 'withheld', 'people'] as const
const ALL = ['outside', 'closed', 'withheld', 'people'] as const
const BELOW = ['closed', 'withheld', 'people'] as const
const EDITING = ['view', 'create', 'modify', 'stage', 'publish', 'delete']

export const OBSERVERS: readonly Observer[] = [
  { name: 'all grants in a folder', grants: null, scope: 'scope', hidden: OUTSIDE },
  {
    name: 'an editor in folders',
    user: { role: null, roles: { ...WITHHELD, scope: 'editor' } },
    grants: null,
    hidden: ALL,
  },
  {
    name: 'an editor from whom folders are withheld',
    user: { role: 'editor', roles: WITHHELD },
    grants: null,
    hidden: BELOW,
  },
  {
    name: 'a key that was narrowed',
    grants: EDITING,
    scope: 'scope',
    hidden: OUTSIDE,
    isNarrowedLater: true,
  },
  { name: 'view in a folder', grants: ['view'], scope: 'scope', hidden: OUTSIDE },
  {
    name: 'an administrator from whom folders are withheld',
    user: { role: 'admin', roles: WITHHELD },
    grants: null,
    hidden: ['closed', 'withheld'],
  },
  { name: 'create in a folder', grants: ['create'], scope: 'scope', hidden: OUTSIDE },
  { name: 'modify in a folder', grants: ['modify'], scope: 'scope', hidden: OUTSIDE },
  { name: 'no grant', grants: [], hidden: ALL },
  {
    name: 'a viewer in folders',
    user: { role: null, roles: { ...WITHHELD, scope: 'viewer' } },
    grants: null,
    hidden: ALL,
  },
  {
    name: 'a viewer from whom folders are withheld',
    user: { role: 'viewer', roles: WITHHELD },
    grants: null,
    hidden: BELOW,
  },
  {
    name: 'an editor with roles elsewhere, in a folder',
    user: { role: 'editor', roles: {} },
    grants: EDITING,
    scope: 'scope',
    hidden: OUTSIDE,
  },
  {
    name: 'an editor in folders, with a key for one below',
    user: { role: null, roles: { ...WITHHELD, scope: 'editor' } },
    grants: null,
    scope: 'inner',
    hidden: ALL,
  },
  {
    name: 'publish and view in a folder',
    grants: ['view', 'publish'],
    scope: 'scope',
    hidden: OUTSIDE,
  },
  { name: 'nobody', grants: [], hidden: ALL, isNobody: true },
]
