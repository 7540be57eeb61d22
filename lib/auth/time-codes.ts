// Codes by time (TOTP, RFC 6238) as every authenticator makes them: six digits, half a minute each, SHA-1. To be loaded with
// the first one that is asked for: most sites have none.

import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Clocks of phones differ: by so many steps each way. */
const DRIFT_STEPS = 1

export function newTimeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

export interface TimeCode {
  readonly secret: string
  readonly code: string
  readonly now: Date
}

/** The step of time that the code is of; undefined where it is of none that is near. Compared in constant time. */
export function findStep({ secret, code, now }: TimeCode): number | undefined {
  const timestamp = now.getTime()
  const totp = buildTotp(secret)
  const delta = totp.validate({ token: code, timestamp, window: DRIFT_STEPS })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

export interface Label {
  readonly secret: string
  /** The site, in the list of an authenticator. */
  readonly issuer: string
  readonly name: string
}

/** What a QR code holds: otpauth://totp/… */
export function timeCodeUri({ secret, issuer, name }: Label): string {
  return buildTotp(secret, { issuer, label: name }).toString()
}

function buildTotp(secret: string, label: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...label, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })
}
