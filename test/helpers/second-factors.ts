// An authenticator app: computes the codes of a user at a given time.

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

/** Sets up a second factor for a signed-in user, which uses up the code of this moment. */
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
