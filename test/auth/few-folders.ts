// A few folders in memory, and holders, for tests of rules that read only folders.
//
//   1 Main ─┬─ 2 a ── 3 b ── 4 c
//           └─ 5 d
//   7 e lies in 6, which does not exist; 8 f is a second root

import type { FolderReader } from '../../lib/auth/folders.ts'
import type { Holder } from '../../lib/auth/key-role.ts'
import { assetCategory } from '../../lib/schema/asset-category.ts'
import { buildRecord } from '../../lib/schema/record.ts'
import { openRecords } from '../../lib/storage/records/records.ts'
import { openMemoryKv } from '../helpers/memory-kv.ts'

const FOLDERS: readonly (readonly [id: number, name: string, parent: number | null])[] = [
  [1, 'Main', null],
  [2, 'a', 1],
  [3, 'b"é', 2],
  [4, 'c', 3],
  [5, 'd', 1],
  [7, 'e', 6],
  [8, 'f', null],
]

export async function openFewFolders(): Promise<FolderReader> {
  const records = openRecords(openMemoryKv())
  await records.commit((unit) => {
    for (const [id, name, parent_category_id] of FOLDERS)
      unit.put(
        assetCategory.recordType,
        [id],
        buildRecord(assetCategory, { name, parent_category_id }, { id, owner: 'x', now: '' }),
      )
  })
  return records
}

interface HolderParts {
  readonly role?: string | null
  /** Roles by folder identifier. */
  readonly roles?: Readonly<Record<number, string | null>>
  readonly grants?: readonly string[] | null
  /** The folder to which the key is limited. */
  readonly scope?: number | null
}

export function holderOf({ role = null, roles, grants = null, scope = null }: HolderParts): Holder {
  const category_roles =
    roles === undefined
      ? null
      : Object.entries(roles).map(([id, own]) => ({ asset_category_id: Number(id), role: own }))
  return {
    user: { role, category_roles },
    key: { grants, asset_category_id: scope } as Holder['key'],
  }
}
