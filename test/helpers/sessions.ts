// Somebody who signs in with a browser, as far as the server sees it.

import { hashPassword } from '../../lib/workers/passwords.ts'
import { type Answer, type Call, send, type TestServer } from './server.ts'

export const PASSWORD = 'correct horse battery'

/** The cookie that an answer sets, as a browser sends it back; empty where none is set. */
export function cookieOf({ headers }: Pick<Answer, 'headers'>): string {
  return headers['set-cookie']?.[0]?.split(';')[0] ?? ''
}

/** What the link of the first start holds. */
export function tokenOf({ welcome = '' }: Pick<TestServer, 'welcome'>): string {
  return welcome.slice(welcome.indexOf('#') + 1)
}

export interface SignedIn {
  readonly secret: string
  readonly cookie: string
  readonly keyId: number
}

/** Gives the user admin, or another one, the password by the command line. */
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

/** Below /api/v2/session, without a key. */
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
