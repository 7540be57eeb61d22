// The folders that a caller sees, for one answer: each folder is looked up once, however many records lie in it. The
// answer reveals nothing about folders above, below or beside the visible ones.

import { type AssetCategory, assetCategory, ROOT_CATEGORY_ID } from '../schema/asset-category.ts'
import type { FolderReader } from './folders.ts'
import { type Grants, type Holder, narrow, NO_GRANTS, roleBy } from './key-role.ts'

export interface VisibleFolders {
  /** Like grantsAt of grants.ts. */
  grantsAt(categoryId: number): Grants
  /** True if the caller holds any grant in the folder. */
  sees(categoryId: number): boolean
  /**
   * The folder's path `/Main/…`, beginning at the topmost folder from which the caller sees every level. Names above
   * a hidden level stay hidden. Empty if the caller does not see the folder.
   */
  pathOf(categoryId: number): string
  /** Bytes of that path inside a JSON text, computed without building the path. */
  pathBytesOf(categoryId: number): number
}

interface Seen {
  readonly role: string | null
  readonly isInScope: boolean
  readonly grants: Grants
  readonly path: string
  readonly pathBytes: number
}

const NAMELESS = { path: '', pathBytes: 0 }

export function openVisibleFolders(reader: FolderReader, holder: Holder): VisibleFolders {
  const { asset_category_id: scope } = holder.key
  /** Undefined if the folder or one of its ancestors is gone. */
  const known = new Map<number, Seen | undefined>()

  function look(folder: AssetCategory, above: Seen | undefined): Seen {
    const { asset_category_id: id, name } = folder
    const own = roleBy(holder, folder)
    const role = own === undefined ? roleBelow(above) : own
    const isInScope = scope === null || scope === id || above?.isInScope === true
    const grants = isInScope ? narrow(holder, role) : NO_GRANTS
    return { role, isInScope, grants, ...(grants.size === 0 ? NAMELESS : pathBelow(above, name)) }
  }

  /** The user's own role applies above the root. */
  function roleBelow(above: Seen | undefined): string | null {
    return above === undefined ? holder.user.role : above.role
  }

  /**
   * Walks up to the first known folder or the root, then down again without recursion, because folders of old sites
   * may be deep.
   */
  function find(categoryId: number): Seen | undefined {
    const unknown: AssetCategory[] = []
    let id: number | null = categoryId
    while (id !== null && !known.has(id)) {
      const stored = reader.get(assetCategory.recordType, id)
      if (stored === undefined) {
        known.set(id, undefined)
        break
      }
      const folder: AssetCategory = stored.value
      unknown.push(folder)
      id = folder.parent_category_id
    }

    const isRooted = id === null && unknown.at(-1)?.asset_category_id === ROOT_CATEGORY_ID
    let above = id === null ? undefined : known.get(id)
    const isGone = id === null ? !isRooted : above === undefined
    for (const folder of unknown.toReversed()) {
      above = isGone ? undefined : look(folder, above)
      known.set(folder.asset_category_id, above)
    }
    return known.get(categoryId)
  }

  return {
    grantsAt: (categoryId) => find(categoryId)?.grants ?? NO_GRANTS,
    sees: (categoryId) => (find(categoryId)?.grants.size ?? 0) > 0,
    pathOf: (categoryId) => find(categoryId)?.path ?? '',
    pathBytesOf: (categoryId) => find(categoryId)?.pathBytes ?? 0,
  }
}

function pathBelow(above: Seen | undefined, name: string): Pick<Seen, 'path' | 'pathBytes'> {
  const { path, pathBytes } = above ?? NAMELESS
  const ownBytes = Buffer.byteLength(JSON.stringify(name)) - 2
  return { path: `${path}/${name}`, pathBytes: pathBytes + 1 + ownBytes }
}
