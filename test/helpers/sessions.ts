// Browser sessions from the server's point of view.

import { hashPassword } from '../../lib/workers/passwords.ts'
import { type Answer, type Call, send, type TestServer } from './server.ts'

export const PASSWORD = 'correct horse battery'

/** The cookie that an answer sets, in the form that a browser sends back; empty if none is set. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

/** The token in the link of the first start. */
export function tokenOf({ welcome = '' }: Pick<TestServer, 'welcome'>): string {
  return welcome.slice(welcome.indexOf('#') + 1)
}

export interface SignedIn {
  readonly secret: string
  readonly cookie: string
  readonly keyId: number
}

/** Sets the password of admin or another user with a command. */
export async function givePassword(server: TestServer, name = 'admin'): Promise<void> {
  const hashed = await hashPassword(PASSWORD)
  await server.command({ command: 'user.password', name, hashed })
}

export async function signIn(server: TestServer, name = 'admin'): Promise<SignedIn> {
  const answer = await session(server.url, 'POST', '', { json: { name, password: PASSWORD } })
  if (answer.status !== 201) throw new Error(answer.text)
  const { secret, api_key_id: keyId } = answer.body
  return { secret, cookie: cookieOf(answer), keyId }
}

/** Sends a request below /api/v2/session without a key. */
export function session(
  url: string,
  method: string,
  path: string,
  call: Call & { readonly cookie?: string } = {},
): Promise<Answer> {
  const { cookie, headers, ...rest } = call
  const sent = { ...headers, ...(cookie !== undefined && { cookie }) }
  return send(url, method, `/api/v2/session${path}`, { key: null, headers: sent, ...rest })
}
