// Time-based codes (TOTP, RFC 6238) as every authenticator makes them: six digits, 30 seconds each, SHA-1. Load this
// module with the first code: most sites have none.

import { Secret, TOTP } from 'otpauth'

const SECRET_BYTES = 20
const STEP_SECONDS = 30
/** Steps of clock drift accepted in each direction. */
const DRIFT_STEPS = 1

export function newTimeSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32
}

export interface TimeCode {
  readonly secret: string
  readonly code: string
  readonly now: Date
}

/** The time step of the code; undefined if the code matches no step near `now`. Compares in constant time. */
export function findStep({ secret, code, now }: TimeCode): number | undefined {
  const timestamp = now.getTime()
  const totp = buildTotp(secret)
  const delta = totp.validate({ token: code, timestamp, window: DRIFT_STEPS })
  return delta === null ? undefined : totp.counter({ timestamp }) + delta
}

export interface Label {
  readonly secret: string
  /** The site's name in the authenticator's list. */
  readonly issuer: string
  readonly name: string
}

/** Content of the QR code: otpauth://totp/… */
export function timeCodeUri({ secret, issuer, name }: Label): string {
  return buildTotp(secret, { issuer, label: name }).toString()
}

function buildTotp(secret: string, label: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...label, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })
}
