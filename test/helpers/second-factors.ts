// The authenticator of somebody: the codes that a user has at a time.

import { TOTP } from 'otpauth'
import { PASSWORD } from './sessions.ts'
import type { TestServer } from './server.ts'

export function codeAt(secret: string, atMs: number): string {
  return new TOTP({ secret }).generate({ timestamp: atMs })
}

export interface Factor {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
}

/** Gives a second factor to who has signed in; the code of that moment is used up. */
export async function giveSecondFactor(
  server: Pick<TestServer, 'call'>,
  key: string,
  atMs: number,
): Promise<Factor> {
  const path = '/api/v2/me/second_factor'
  const shown = await server.call('POST', path, { key, json: { password: PASSWORD } })
  if (shown.status !== 201) throw new Error(shown.text)
  const { secret } = shown.body
  const json = { code: codeAt(secret, atMs) }
  const confirmed = await server.call('POST', `${path}/confirm`, { key, json })
  if (confirmed.status !== 201) throw new Error(confirmed.text)
  return { secret, recoveryCodes: confirmed.body.recovery_codes }
}
