// The secret of a request and its hash. A connection usually sends the same secret with every request, and hashing would
// slow down small reads. Each connection therefore caches its last secret, which the headers of its last request hold in
// memory anyway.

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
 * Throws key-required, or invalid-request if the header does not have the form of RFC 6750. `takesPassword`: the key may
 * also be the password of RFC 7617.
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
