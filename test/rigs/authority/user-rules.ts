// The rules for users: making, changing and removing them.

import {
  type Asking,
  GRANTED,
  judgeAdmin,
  judgeEntry,
  judgePost,
  open,
  ownKey,
  refused,
  TOO_MUCH,
  type Verdict,
} from './rules.ts'
import { isUserWithin, keyMask, seesUser, type User } from './state.ts'

export function judgeNewUser(asking: Asking, wanted: User): Verdict {
  const { model } = asking
  const entry = judgePost(asking) ?? judgeAdmin(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  if (!isUserWithin(model, wanted, own))
    return refused('weaker', TOO_MUCH, 'the new user is not within it')
  return judgeNamed(asking, wanted) ?? GRANTED
}

export function judgeUserChange(asking: Asking, targetId: number, change: Partial<User>): Verdict {
  const { model } = asking
  const entry = judgePost(asking) ?? judgeAdmin(asking)
  if (entry !== undefined) return entry
  const found = judgeUser(asking, targetId)
  if ('wish' in found) return found
  const next = { ...found, ...change }
  if (!isUserWithin(model, next, ownKey(asking)))
    return refused('weaker', TOO_MUCH, 'the result is not within it')
  return (change.categoryRoles && judgeNamed(asking, next)) ?? GRANTED
}

export function judgeUserRemoval(asking: Asking, targetId: number): Verdict {
  const entry = judgeEntry(asking) ?? judgeAdmin(asking)
  if (entry !== undefined) return entry
  const found = judgeUser(asking, targetId)
  return 'wish' in found ? found : GRANTED
}

/** Returns the user if the actor may change it. */
export function judgeUser(asking: Asking, targetId: number): User | Verdict {
  const { model } = asking
  const own = ownKey(asking)
  const found = model.users.get(targetId)
  if (found === undefined || !seesUser(model, own, targetId))
    return refused('weaker', [404], 'the user is not within it')
  return isUserWithin(model, found, own)
    ? found
    : refused('weaker', TOO_MUCH, 'its own user is not within it')
}

/** Refuses a folder that the actor does not see, unless a role of its own user names the folder. */
function judgeNamed(asking: Asking, { categoryRoles }: User): Verdict | undefined {
  const own = ownKey(asking)
  const known = asking.model.users.get(own.user)?.categoryRoles ?? []
  const isUnknown = categoryRoles.some(
    ({ asset_category_id: id }) =>
      keyMask(asking.model, own, id) === 0 && !known.some((item) => item.asset_category_id === id),
  )
  return isUnknown ? open('it names a folder that it does not see', TOO_MUCH) : undefined
}
