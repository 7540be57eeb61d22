// Slows down attackers who guess passwords: after too many failed attempts with one name or from one address, both
// get 429 for the rest of a window. Codes have a lower limit, because they have six digits only. An attempt counts
// from its beginning, so that parallel attempts are all counted, and is taken back on success. To keep attackers from
// locking out a user, addresses where the user has signed in before are counted separately.

import { CmsError } from '../base/errors.ts'
import type { AskedCount, Counts } from '../storage/counts.ts'

export interface SignInGuard {
  /** Counts an attempt; throws too-many-requests. */
  begin(attempt: Attempt): Promise<Begun>
  /** Counts an attempt with the token of a link; throws too-many-requests. */
  beginLink(source: Attempt['source']): Promise<Begun>
  /** Counts an authenticator code that was sent with the right password; throws too-many-requests. */
  beginCode(attempt: CodeAttempt): Promise<Begun>
  /** Counts a password or code by which a signed-in user proves identity again; throws too-many-requests. */
  beginProof(session: ProvingSession): Promise<Begun>
  /** Counts an authenticator code that was sent with the right password by a signed-in user. */
  beginProofCode(session: ProvingSession): Promise<Begun>
  /** Counts a change to keys that was made by a key; throws too-many-requests. */
  takeKeyChange(userId: number): Promise<void>
}

/** Proofs have separate counts: attempts of others at sign-in must not keep a user from changing the password. */
export interface ProvingSession {
  readonly userId: number
  readonly keyId: number
}

export interface Attempt {
  /** Normalized for comparison. */
  readonly name: string
  /** The address as it is counted; undefined if many clients are known to share it. */
  readonly source: string | undefined
  /** Whether the user of this name has signed in from there. */
  readonly isFamiliar: boolean
}

export interface CodeAttempt {
  readonly userId: number
  /** Like `source` of Attempt; undefined if the user has not signed in from there. */
  readonly familiarSource: string | undefined
}

export interface Begun {
  /** Takes the attempt back, because it succeeded. */
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
  /** An attempt that is never taken back counts as a guess. */
  async function count(
    asked: readonly AskedCount[],
    refuse: (waitSeconds: number) => CmsError,
  ): Promise<Begun> {
    // The database has no answer to an empty list.
    if (asked.length === 0) return { succeed: () => undefined }
    const waitSeconds = await counts.take(asked)
    if (waitSeconds !== undefined) throw refuse(waitSeconds)
    return { succeed: () => counts.takeBack(asked) }
  }

  /** Nothing for an address that many clients share. */
  function ofAddress(source: string | undefined): readonly AskedCount[] {
    if (source === undefined) return []
    return [{ kind: 'sign-in from', name: source, most: signInFailuresPerAddress, windowMs }]
  }

  return {
    begin({ name, source, isFamiliar }) {
      // No name contains a line feed.
      const place = isFamiliar ? `${name}\n${source}` : name
      const ofName = { kind: 'sign-in', name: place, most: signInFailures, windowMs }
      return count([ofName, ...ofAddress(source)], tooManyAttempts)
    },
    beginLink: (source) => count(ofAddress(source), tooManyAttempts),
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
  const detail = 'Too many wrong passwords or codes in this session. Wait, then try again.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

function tooManyKeyChanges(waitSeconds: number): CmsError {
  const detail =
    'The keys of this user have created, changed or rotated too many keys, or made too many links, recently. Wait, sign in, or use a key with the grant admin.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

function tooManyAttempts(waitSeconds: number): CmsError {
  const detail =
    'Too many sign-in attempts with this name or from this address have failed. Wait, then try again.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}

function tooManyCodes(waitSeconds: number): CmsError {
  const detail =
    'Too many wrong codes. Sign in with a recovery code, or use a browser where you are signed in, and change the password: somebody else may know it.'
  return new CmsError('too-many-requests', detail, {
    headers: { 'retry-after': String(waitSeconds) },
  })
}
