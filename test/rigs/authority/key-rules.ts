// The rules for keys: making, changing, rotating and revoking them.

import {
  type Authority,
  endsBy,
  hasGlobalAdmin,
  holdsNothing,
  isKeyWithin,
  isScopeGone,
  type Key,
  keyMask,
  seesKey,
  seesUser,
} from './state.ts'
import {
  type Asking,
  GRANTED,
  judgeEntry,
  judgePost,
  open,
  ownKey,
  refused,
  TOO_MUCH,
  type Verdict,
} from './rules.ts'

export interface WantedKey extends Authority {
  readonly ends: string | null
}

export function judgeNewKey(asking: Asking, wanted: WantedKey): Verdict {
  const { model } = asking
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  const isForOther = wanted.user !== own.user
  if (isForOther && !(hasGlobalAdmin(model, own) && seesUser(model, own, wanted.user)))
    return refused('weaker', TOO_MUCH, 'it may make no key for that user')
  if (!isKeyWithin(model, wanted, own))
    return refused('weaker', TOO_MUCH, 'the new key is not within it')
  return judgeEnd(asking, wanted.ends) ?? judgeScope(asking, wanted) ?? GRANTED
}

export type KeyChange = Partial<Omit<Key, 'secrets' | 'madeBy' | 'session'>>

export function judgeKeyChange(asking: Asking, targetId: number, change: KeyChange): Verdict {
  const { model } = asking
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  const found = judgeTarget(asking, targetId)
  if ('wish' in found) return found
  if (change.user !== undefined && change.user !== found.user)
    return refused('weaker', TOO_MUCH, 'the user of a key stays')

  const next: Key = { ...found, ...change }
  if (found.session !== undefined && !isKept(found, next))
    return refused('weaker', TOO_MUCH, 'the grants and the end of a session follow from its user')
  if (!isKeyWithin(model, next, own))
    return refused('weaker', TOO_MUCH, 'the result is not within it')
  const isRevived = next.isActive && !found.isActive
  const end = next.ends !== found.ends || isRevived ? judgeEnd(asking, next.ends) : undefined
  const scope = next.scope !== found.scope ? judgeScope(asking, next) : undefined
  return end ?? scope ?? GRANTED
}

export function judgeRotation(asking: Asking, targetId: number): Verdict {
  const entry = judgePost(asking)
  if (entry !== undefined) return entry
  const found = judgeTarget(asking, targetId)
  if ('wish' in found) return found
  if (found.session !== undefined)
    return refused('weaker', TOO_MUCH, 'a session gets its secrets by its cookie')
  return judgeEnd(asking, found.ends) ?? GRANTED
}

function isKept(found: Key, { grants, scope, ends }: Key): boolean {
  const isSameGrants = JSON.stringify(grants) === JSON.stringify(found.grants)
  return isSameGrants && scope === found.scope && ends === found.ends
}

export function judgeKeyRemoval(asking: Asking, targetId: number): Verdict {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  const found = judgeTarget(asking, targetId)
  if ('wish' in found) return found
  return holdsNothing(asking.model, ownKey(asking))
    ? open('it holds nothing, but sees the key')
    : GRANTED
}

/** Returns the key if the actor sees it. */
function judgeTarget(asking: Asking, targetId: number): Key | Verdict {
  const { model, actor } = asking
  const found = model.keys.get(targetId)
  if (found === undefined) return refused('weaker', [404], 'there is no such key')
  if (actor.keyId === targetId) return found
  if (isScopeGone(model, found) || isScopeGone(model, ownKey(asking)))
    return open('the folder of a key is gone')
  return seesKey(model, actor, targetId)
    ? found
    : refused('weaker', [404], 'the key is not within it')
}

/** A session acts for a person, who does not end with it. */
function judgeEnd(asking: Asking, end: string | null): Verdict | undefined {
  const own = ownKey(asking)
  if (own.session !== undefined) return undefined
  if (!endsBy(end, own.ends)) return refused('weaker', TOO_MUCH, 'it would end later than the key')
  const { until = null } = own.secrets.find(({ text }) => text === asking.actor.secret) ?? {}
  return endsBy(end, until) ? undefined : open('the secret ends earlier than its key', TOO_MUCH)
}

function judgeScope(asking: Asking, { scope }: Authority): Verdict | undefined {
  const own = ownKey(asking)
  if (scope === null || scope === own.scope) return undefined
  return keyMask(asking.model, own, scope) === 0
    ? open('it does not see the folder that it names', TOO_MUCH)
    : undefined
}
