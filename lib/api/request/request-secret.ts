// The secret that a request came with, and its hash. A connection mostly sends one secret over and over, and
// a small read would notice the hashing. So each connection knows its last one, which lies in the headers of
// its last request anyway.

import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { readPassword, readSecret } from '../../auth/caller.ts'
import { hashSecret, type Secret } from '../../auth/secret.ts'
import { headerValues } from '../../http/header-values.ts'

interface Sent {
  readonly header: string
  readonly secret: Secret
}

const LAST = new WeakMap<Socket, Sent>()

/**
 * Throws key-required, or invalid-request where the header has not the form of RFC 6750. `takesPassword`: the key may
 * be the password of RFC 7617, too.
 */
export function sentSecret(message: IncomingMessage, takesPassword = false): Secret {
  const headers = headerValues(message, 'authorization')
  const last = LAST.get(message.socket)
  if (last !== undefined && headers.length === 1 && headers[0] === last.header) return last.secret

  const password = takesPassword ? readPassword(headers) : undefined
  if (password !== undefined) return { text: password, hash: hashSecret(password) }

  const text = readSecret(headers)
  const secret = { text, hash: hashSecret(text) }
  LAST.set(message.socket, { header: headers[0] ?? '', secret })
  return secret
}
