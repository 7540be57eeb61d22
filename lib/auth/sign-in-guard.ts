// Slows down who guesses passwords: so many attempts fail with one name, and from one address, before both get 429 for
// the rest of a window. Who knows a password and guesses codes has fewer: a code is six digits. An attempt counts from its beginning, so that many at once are as many, and is taken back
// when it succeeds. Who guesses a name could keep its user out: not from where the user has signed in before.

import { CmsError } from '../base/errors.ts'
import type { AskedCount, Counts } from '../storage/counts.ts'

export interface SignInGuard {
  /** Counts an attempt; throws too-many-requests. */
  begin(attempt: Attempt): Promise<Begun>
  /** Counts a code of an authenticator, sent with the right password; throws too-many-requests. */
  beginCode(attempt: CodeAttempt): Promise<Begun>
  /** Counts a password or a code by which somebody who has signed in proves it again; throws too-many-requests. */
  beginProof(session: ProvingSession): Promise<Begun>
  /** The same for the code of an authenticator, sent with the right password. */
  beginProofCode(session: ProvingSession): Promise<Begun>
  /** Counts a change that a key makes to keys; throws too-many-requests. */
  takeKeyChange(userId: number): Promise<void>
}

/** Its proofs have counts of their own: guesses of others at the way in must not keep a person from changing a password. */
export interface ProvingSession {
  readonly userId: number
  readonly keyId: number
}

export interface Attempt {
  /** In the form in which names are compared. */
  readonly name: string
  /** What its address is counted as; undefined when many clients are known to be behind it. */
  readonly source: string | undefined
  /** The user of this name has signed in from there. */
  readonly isFamiliar: boolean
}

export interface CodeAttempt {
  readonly userId: number
  /** As of an attempt; undefined where the user has not signed in from there. */
  readonly familiarSource: string | undefined
}

export interface Begun {
  /** The attempt was none to guess. */
  readonly succeed: () => void
}

export interface SignInLimits {
  readonly signInFailures: number
  readonly signInFailuresPerAddress: number
  readonly signInWindowMs: number
  readonly codeFailures: number
  readonly codeWindowMs: number
  readonly keyChanges: number
  readonly keyChangesWindowMs: number
}

export function openSignInGuard(
  {
    signInFailures,
    signInFailuresPerAddress,
    signInWindowMs: windowMs,
    codeFailures,
    codeWindowMs,
    keyChanges,
    keyChangesWindowMs,
  }: SignInLimits,
  counts: Counts,
): SignInGuard {
  /** What is not taken back in the end has been an attempt to guess. */
  async function count(
    asked: readonly AskedCount[],
    refuse: (waitSeconds: number) => CmsError,
  ): Promise<Begun> {
    const waitSeconds = await counts.take(asked)
    if (waitSeconds !== undefined) throw refuse(waitSeconds)
    return { succeed: () => counts.takeBack(asked) }
  }

  return {
    begin({ name, source, isFamiliar }) {
      // A line feed is in no name.
      const place = isFamiliar ? `${name}\n${source}` : name
      const asked = [{ kind: 'sign-in', name: place, most: signInFailures, windowMs }]
      if (source !== undefined)
        asked.push({
          kind: 'sign-in from',
          name: source,
          most: signInFailuresPerAddress,
          windowMs,
        })
      return count(asked, tooManyAttempts)
    },
    beginCode({ userId, familiarSource }) {
      const name = `${userId}\n${familiarSource ?? ''}`
      const asked = { kind: 'code', name, most: codeFailures, windowMs: codeWindowMs }
      return count([asked], tooManyCodes)
    },
    beginProof({ userId, keyId }) {
      const name = `${userId}\n${keyId}`
      return count([{ kind: 'proof', name, most: signInFailures, windowMs }], tooManyProofs)
    },
    beginProofCode({ userId }) {
      const name = String(userId)
      const asked = { kind: 'proof code', name, most: codeFailures, windowMs: codeWindowMs }
      return count([asked], tooManyProofs)
    },
    async takeKeyChange(userId) {
      const name = String(userId)
      const window = { most: keyChanges, windowMs: keyChangesWindowMs }
      await count([{ kind: 'key change', name, ...window }], tooManyKeyChanges)
    },
  }
}

function tooManyProofs(waitSeconds: number): CmsError {
  const detail = 'Too many passwords or codes were wrong in this session. Wait, then try again.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

function tooManyKeyChanges(waitSeconds: number): CmsError {
  const detail =
    'The keys of this user have made, changed or rotated too many keys lately. Wait, sign in, or use a key with the grant admin.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

function tooManyAttempts(waitSeconds: number): CmsError {
  const detail =
    'Too many attempts to sign in have failed, with this name or from this address. Wait, then try again.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

function tooManyCodes(waitSeconds: number): CmsError {
  const detail =
    'Too many codes were wrong. Sign in with a recovery code, or from where you are signed in, and change the password: somebody may know it.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}
