// The rules for people: signing in and out, passwords, and second factors. A key never proves who
// sends its requests, so only a session may change what its own user signs in with.

import {
  type Asking,
  GRANTED,
  judgeAdmin,
  judgeEntry,
  judgePost,
  ownKey,
  refused,
  TOO_MUCH,
  type Verdict,
} from './rules.ts'
import { type Credentials, isOpenSession, type Model, type Principal } from './state.ts'
import { judgeUser } from './user-rules.ts'

/** The values that a request sends as proof of a person. */
export interface Proof {
  readonly password: string
  readonly code: string | undefined
}

const NOT_PROVEN = [422, 429]
const NOT_SIGNED_IN = [401, 429]

export function judgeSignIn(model: Model, user: number, proof: Proof): Verdict {
  const known = model.credentials.get(user)
  if (model.users.get(user)?.isActive !== true)
    return refused('weaker', NOT_SIGNED_IN, 'the user is disabled or gone')
  if (known?.password !== proof.password)
    return refused('weaker', NOT_SIGNED_IN, 'the password is not that of the user')
  return hasCode(known, proof)
    ? GRANTED
    : refused('weaker', NOT_SIGNED_IN, 'the code of the second factor is missing')
}

/** A user without a second factor needs no code. */
function hasCode({ codes }: Credentials, { code }: Proof): boolean {
  return codes === undefined || (code !== undefined && codes.includes(code))
}

/** Judges the exchange of a cookie for another secret. */
export function judgeRenewal(model: Model, cookie: Principal, now: string): Verdict {
  return isOpenSession(model, cookie, now)
    ? GRANTED
    : refused('weaker', [401], 'the session is over')
}

export function judgeOwnPassword(asking: Asking, password: string): Verdict {
  const entry = judgePerson(asking)
  if (entry !== undefined) return entry
  const known = asking.model.credentials.get(ownKey(asking).user)
  return known?.password === password
    ? GRANTED
    : refused('proof', NOT_PROVEN, 'it does not send the password of its user')
}

/** Judges changes of the own second factor. */
export function judgeOwnFactor(asking: Asking, proof: Proof): Verdict {
  const password = judgeOwnPassword(asking, proof.password)
  if (password.wish !== 'granted') return password
  const known = asking.model.credentials.get(ownKey(asking).user)
  return known !== undefined && hasCode(known, proof)
    ? GRANTED
    : refused('proof', NOT_PROVEN, 'it does not send a code of its user')
}

function judgePerson(asking: Asking): Verdict | undefined {
  const entry = judgeEntry(asking)
  if (entry !== undefined) return entry
  return ownKey(asking).session === undefined
    ? refused('proof', [403], 'it is a key, and no person has signed in')
    : undefined
}

/** Judges a new password, or the removal of a second factor, without a proof. */
export function judgeCredentials(asking: Asking, targetId: number): Verdict {
  const entry = judgePost(asking) ?? judgeAdmin(asking)
  if (entry !== undefined) return entry
  const found = judgeUser(asking, targetId)
  if ('wish' in found) return found
  return targetId === ownKey(asking).user
    ? refused('proof', TOO_MUCH, 'its own user needs the password for this')
    : GRANTED
}
