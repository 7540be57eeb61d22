// Describes a key to itself: its user, its limits, and its grants by folder. Reveals no more about the user than the
// key may see: roles in hidden folders are omitted.

import { globalGrants } from '../../auth/grants.ts'
import { categoryRoles, type Grants } from '../../auth/key-role.ts'
import { openVisibleFolders } from '../../auth/visible-folders.ts'
import { ROOT_CATEGORY_ID } from '../../schema/asset-category.ts'
import { type Grant, GRANTS } from '../../shared/grants.ts'
import type { Context } from '../context.ts'
import { type Colleague, namesOf } from './colleagues.ts'
import { knowsPerson } from './user-visibility.ts'
import { openTimeSlice } from '../../schema/time-slicing.ts'

export interface Me {
  /** The other names are null also for a program. */
  readonly user: Colleague
  readonly api_key: {
    readonly api_key_id: number
    readonly name: string
    readonly grants: readonly string[] | null
    readonly asset_category_id: number | null
    readonly date_expires: string | null
  }
  /** Grants on records outside folders: users, keys, the audit trail. */
  readonly grants: readonly Grant[]
  /** Folders in which the grants begin or change; each applies to all folders below, too. */
  readonly asset_category: readonly MyFolder[]
}

interface MyFolder {
  readonly asset_category_id: number
  readonly path: string
  readonly grants: readonly Grant[]
}

export async function readMe({ records, caller }: Context): Promise<Me> {
  const { user, key } = caller
  const visible = openVisibleFolders(records, caller)
  const top = key.asset_category_id ?? ROOT_CATEGORY_ID
  const places = new Set([top, ...categoryRoles(caller).map((item) => item.asset_category_id)])
  const folders: MyFolder[] = []
  const slice = openTimeSlice()
  for (const id of places) {
    const grants = inOrder(visible.grantsAt(id))
    if (grants.length > 0) folders.push({ asset_category_id: id, path: visible.pathOf(id), grants })
    if (slice.isOver(visible.pathBytesOf(id))) await slice.next()
  }
  const { api_key_id, name, grants, asset_category_id, date_expires } = key
  return {
    user: {
      ...namesOf(user),
      ...(!knowsPerson(caller) && { display_name: null, former_names: null }),
    },
    api_key: { api_key_id, name, grants, asset_category_id, date_expires },
    grants: inOrder(globalGrants(caller)),
    asset_category: folders,
  }
}

function inOrder(grants: Grants): readonly Grant[] {
  return GRANTS.filter((grant) => grants.has(grant))
}
