// Sets or removes a user's role in a folder. The user is read first and sent with its ETag, so that concurrent
// changes are not lost.

import { useState } from 'preact/hooks'
import { recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useToast } from '../../ui/toast.tsx'
import type { Place } from './folder-access.ts'
import { isLastAdmin } from './last-admin.ts'
import { roleOf, type User } from './user.ts'

/** No role of its own: the role of the parent folder applies. */
export const ABOVE = 'above'

export interface Given {
  readonly userId: number
  /** ABOVE, '' for none, or the name of a role. */
  readonly role: string
}

export interface RoleHereOptions {
  readonly folder: Place | undefined
  readonly name: string
  readonly onChanged: () => void
}

export function useRoleHere({ folder, name: folderName, onChanged }: RoleHereOptions) {
  const { t } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const folderId = folder?.asset_category_id ?? 0

  /** Returns the previous role and the name of the user. */
  async function put({ userId, role }: Given) {
    const path = { id: userId }
    const { record, etag } = await recordOf(api.GET('/user/{id}', { params: { path } }))
    const before = (record.category_roles ?? []) as NonNullable<User['category_roles']>
    const others = before.filter((each) => each.asset_category_id !== folderId)
    const own = before.find((each) => each.asset_category_id === folderId)
    const roles =
      role === ABOVE ? others : [...others, { asset_category_id: folderId, role: roleOf(role) }]
    const params = { path, header: { 'If-Match': etag } }
    await recordOf(api.PATCH('/user/{id}', { params, body: { category_roles: roles } }))
    return { before: own === undefined ? ABOVE : (own.role ?? ''), name: record.name ?? '' }
  }

  /** False if the request failed. */
  async function give(given: Given): Promise<boolean> {
    setIsBusy(true)
    try {
      const { before, name } = await put(given)
      const role = t.users.roles[roleOf(given.role) ?? 'none']
      toast({
        text:
          given.role === ABOVE
            ? fill(t.access.taken, { name, folder: folderName })
            : fill(t.access.given, { name, role, folder: folderName }),
        action: {
          text: t.general.undo,
          onPress: () => void give({ userId: given.userId, role: before }),
        },
      })
      return true
    } catch (error) {
      if (isLastAdmin(error)) toast({ text: t.users.lastAdmin, isFault: true })
      else toast.problem(error)
      return false
    } finally {
      setIsBusy(false)
      onChanged()
    }
  }

  return { give, isBusy }
}
