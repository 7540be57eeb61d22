// The rules for folders and the things in them: making, moving, publishing and removing.

import {
  ANY_REFUSAL,
  type Asking,
  GRANTED,
  holds,
  judgeEntry,
  judgePost,
  open,
  ownKey,
  refused,
  type Verdict,
} from './rules.ts'
import {
  isInside,
  isPart,
  isPublicFolder,
  keyMask,
  type Mask,
  subtree,
  type ThingKind,
  userMask,
} from './state.ts'

/** Judges new folders, files and entries in these folders. */
export function judgeNewContent(asking: Asking, folders: readonly number[]): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  return folders.every((folder) => holds(keyMask(asking.model, own, folder), 'create'))
    ? GRANTED
    : refused('weaker', ANY_REFUSAL, 'it lacks create and modify there')
}

export function judgeMove(asking: Asking, from: number, to: number, kind: ThingKind): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const [here, there] = masksAt(asking, from, to)
  if (here === 0) return refused('moved', [403, 404], 'it does not see what it moves')
  if (!holds(here, 'modify')) return refused('moved', [403], 'it lacks modify there')
  if (there === 0) return refused('moved', [403, 422], 'it does not see the target')
  return judgePlace(asking, from, to) ?? judgeMenuMove(asking, from, to, kind) ?? GRANTED
}

/** Pages list the groups of public folders as menus. */
function judgeMenuMove(
  asking: Asking,
  from: number,
  to: number,
  kind: ThingKind,
): Verdict | undefined {
  const { model } = asking
  const isLacking = [from, to].some(
    (id) => isPublicFolder(model, id) && !holds(keyMask(model, ownKey(asking), id), 'publish'),
  )
  return kind === 'file_group' && isLacking
    ? refused('moved', [403], 'it lacks publish in a public folder, and would change a menu')
    : undefined
}

/**
 * Whether the actor may put the things of one folder into another and gains nothing by the move.
 */
function judgePlace(asking: Asking, from: number, to: number): Verdict | undefined {
  const [here, there] = masksAt(asking, from, to)
  if (!holds(there, 'create')) return refused('moved', [403], 'it lacks create in the target')
  if (!isPart(there, here)) return refused('moved', [403], 'it would gain by the move')
  return gainsAsUser(asking, from, to)
    ? open('its user would gain by the move, and the key would not', [403])
    : undefined
}

export function judgeFolderMove(asking: Asking, folder: number, to: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  const from = model.folders.get(folder)?.parent ?? 0
  const change = judgeFolderChange(asking, folder)
  if (change.wish === 'refused') return change
  if (keyMask(model, own, to) === 0)
    return refused('moved', ANY_REFUSAL, 'it does not see the target')

  const target = judgePlace(asking, from, to)
  const roles = ownRolesIn(asking, folder)
  if (roles.some((id) => !holds(keyMask(model, own, id), 'modify')))
    return refused('moved', ANY_REFUSAL, 'a folder below is withheld from it')
  if (target?.why.includes('gain') === true && roles.includes(folder))
    return open('its role in the folder moves with it', [403])
  if (target !== undefined) return target
  if (changesMenus(asking, folder, to))
    return open('its file groups may be menus of public pages', [403])
  return holds(keyMask(model, own, from), 'modify')
    ? change
    : open('it may change the folder, and not what is around it')
}

/** Whether groups below the folder would enter or leave the folders that everybody may read. */
function changesMenus({ model }: Asking, folder: number, to: number): boolean {
  return (
    isPublicFolder(model, folder) !== isPublicFolder(model, to) &&
    [...model.things.values()].some(
      ({ kind, parent }) => kind === 'file_group' && isInside(model, parent, folder),
    )
  )
}

/** Judges a new name and a move of the folder itself. */
export function judgeFolderChange(asking: Asking, folder: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  if (!holds(keyMask(model, own, folder), 'modify'))
    return refused('moved', [403, 404], 'it lacks modify in the folder')
  if (keyMask(model, own, model.folders.get(folder)?.parent ?? 0) === 0)
    return refused('moved', ANY_REFUSAL, 'it has no grant in the folder above')
  const isSeen = [folder, ...ownRolesIn(asking, folder)].every((id) =>
    holds(keyMask(model, own, id), 'view'),
  )
  return isSeen ? GRANTED : open('files that it does not see may be live', [403])
}

/** Judges a change of the places that readers without a key may read. */
export function judgePublic(asking: Asking, folder: number, isPublic: boolean | null): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  const mask = keyMask(model, own, folder)
  if (!holds(mask, 'modify')) return refused('grew', [403, 404], 'it lacks modify in the folder')
  if (!holds(mask, 'publish'))
    return refused('grew', [403], 'it lacks publish in the folder, and would make it public')
  const isBelow = ownRolesIn(asking, folder).every((id) =>
    holds(keyMask(model, own, id), 'publish'),
  )
  return isBelow || isPublic === false
    ? GRANTED
    : refused('grew', [403], 'it lacks publish in a folder below, and would make it public')
}

export function judgeFolderRemoval(asking: Asking, folder: number): Verdict {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  const { model } = asking
  const own = ownKey(asking)
  return [folder, ...ownRolesIn(asking, folder)].every((id) =>
    holds(keyMask(model, own, id), 'delete'),
  )
    ? GRANTED
    : refused('weaker', ANY_REFUSAL, 'it lacks delete there or below')
}

function masksAt(asking: Asking, from: number, to: number): readonly [Mask, Mask] {
  const own = ownKey(asking)
  return [keyMask(asking.model, own, from), keyMask(asking.model, own, to)]
}

function gainsAsUser(asking: Asking, from: number, to: number): boolean {
  const { model } = asking
  const user = model.users.get(ownKey(asking).user)
  return user !== undefined && !isPart(userMask(model, user, to), userMask(model, user, from))
}

/** The folders of the subtree in which the user of the actor has a separate role. */
function ownRolesIn(asking: Asking, folder: number): readonly number[] {
  const { model } = asking
  const roles = model.users.get(ownKey(asking).user)?.categoryRoles ?? []
  const named = roles.map((item) => item.asset_category_id)
  return subtree(model, folder).filter((id) => named.includes(id) && isInside(model, id, folder))
}
