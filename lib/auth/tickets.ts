// Tickets authorize one address for a few minutes, where no header can be sent (<img>, <video>, a download link). A
// ticket is not stored: it holds the hash of the secret that requested it. The caller is looked up at each use, so
// the ticket ends with the key and grants what the key grants then. Encrypted like cursors, for a separate purpose: 6
// bytes end in milliseconds, 32 bytes hash of the secret, 16 bytes of the hash of the target.

import { hash } from 'node:crypto'
import { openTextCipher } from './site-cipher.ts'

export interface Ticket {
  /** Path and query of the later request. */
  readonly target: string
  readonly secretHash: string
  readonly dateEnds: string
}

export interface Tickets {
  make(ticket: Ticket): string
  /** Undefined if the site did not make the ticket. */
  open(text: string): OpenTicket | undefined
}

export interface OpenTicket extends Omit<Ticket, 'target'> {
  readonly isFor: (target: string) => boolean
}

const END_BYTES = 6
const SECRET_BYTES = 32
const TARGET_BYTES = 16

export function openTickets(siteKey: Uint8Array): Tickets {
  const cipher = openTextCipher(siteKey, 'ticket')
  return {
    make({ target, secretHash, dateEnds }) {
      const end = Buffer.alloc(END_BYTES)
      end.writeUIntBE(Date.parse(dateEnds), 0, END_BYTES)
      return cipher.encrypt(Buffer.concat([end, Buffer.from(secretHash, 'hex'), markOf(target)]))
    },

    open(text) {
      const bytes = cipher.decrypt(text)
      if (bytes === undefined) return undefined
      const mark = bytes.subarray(END_BYTES + SECRET_BYTES)
      return {
        dateEnds: new Date(bytes.readUIntBE(0, END_BYTES)).toISOString(),
        secretHash: bytes.toString('hex', END_BYTES, END_BYTES + SECRET_BYTES),
        isFor: (target) => mark.equals(markOf(target)),
      }
    },
  }
}

/** The cipher's key provides the security; this hash only distinguishes addresses. */
function markOf(target: string): Buffer {
  return Buffer.from(hash('sha256', target), 'hex').subarray(0, TARGET_BYTES)
}
