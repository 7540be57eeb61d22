// The answers that the rules of authority require: verdicts, and the checks of every request. Where
// the rules leave a case open, either answer is accepted, and the model follows the server.

import {
  bit,
  hasGlobalAdmin,
  holdsNoRole,
  holdsNothing,
  isAlive,
  type Key,
  type Mask,
  type Model,
  type Principal,
} from './state.ts'

/** Descriptions of answers that break the rules. */
export const FAULTS = {
  grew: 'somebody got more than it and its makers were given',
  weaker: 'somebody made or changed what is not within it',
  moved: 'something was moved that must stay',
  told: 'something was told that must not be seen, or not told that may',
  refused: 'something was refused that the rules allow',
  status: 'a refusal has another status than the rules name',
  proof: 'a request did what needs a person and a proof',
  stream: 'a stream shows something else than the rules allow, or does not end',
  webhook: 'a webhook sends something else than the changes',
  reach: 'a key reaches something else than the rules give it',
  record: 'a record is not what the changes made of it',
  audit: 'the audit trail has not one row for each change',
} as const

export type Fault = keyof typeof FAULTS

export interface Verdict {
  readonly wish: 'granted' | 'refused' | 'open'
  /** The statuses that a refusal may have. */
  readonly statuses: readonly number[]
  /** The fault to report if the request is granted. */
  readonly fault: Fault
  readonly why: string
}

export const TOO_MUCH = [403, 422]
export const ANY_REFUSAL = [403, 404, 422]

export const GRANTED: Verdict = { wish: 'granted', statuses: [], fault: 'refused', why: 'allowed' }

export function refused(fault: Fault, statuses: readonly number[], why: string): Verdict {
  return { wish: 'refused', statuses, fault, why }
}

export function open(why: string, statuses: readonly number[] = ANY_REFUSAL): Verdict {
  return { wish: 'open', statuses, fault: 'status', why }
}

export interface Asking {
  readonly model: Model
  readonly actor: Principal
  /** The current time in ISO 8601. */
  readonly now: string
}

/** The check that precedes each request; undefined if the request may continue. */
export function judgeEntry({ model, actor, now }: Asking): Verdict | undefined {
  if (isAlive(model, actor, now)) return undefined
  return refused('weaker', [401, 429], 'its key does not hold any more')
}

export function judgePost(asking: Asking): Verdict | undefined {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  const own = ownKey(asking)
  if (holdsNoRole(asking.model, own)) return refused('weaker', [403], 'it holds no grant anywhere')
  return holdsNothing(asking.model, own)
    ? open('its roles have grants, and none of them in a folder that it reaches')
    : undefined
}

export function ownKey({ model, actor }: Asking): Key {
  const key = model.keys.get(actor.keyId)
  if (key === undefined) throw new Error(`There is no key ${actor.keyId} in the model.`)
  return key
}

export function judgeAdmin(asking: Asking): Verdict | undefined {
  return hasGlobalAdmin(asking.model, ownKey(asking))
    ? undefined
    : refused('weaker', ANY_REFUSAL, 'it lacks the global grant admin')
}

/** Judges requests that only actors with access to the whole site may make. */
export function judgeWholeSite(asking: Asking): Verdict {
  const { model } = asking
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  if (judgeAdmin(asking) !== undefined)
    return refused('told', [403], 'it lacks the global grant admin')
  const own = ownKey(asking)
  const roles = model.users.get(own.user)?.categoryRoles ?? []
  const isWithheld = roles.some(
    ({ asset_category_id: id, role }) => role === null && model.folders.has(id),
  )
  if (isWithheld) return refused('told', [403], 'a folder is withheld from it')
  const isNarrowed = roles.length > 0 || own.grants?.includes('view') === false
  return isNarrowed ? open('it sees all, and holds less in some folder', [403]) : GRANTED
}

export function holds(mask: Mask, grant: Parameters<typeof bit>[0]): boolean {
  return (mask & bit(grant)) !== 0
}
