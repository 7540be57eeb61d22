// Where a client stands in the log of changes, as a text for the site alone to read. In front of the number is a nonce, so
// that the same place is another text each time: it must not tell how many changes there were that a key does not see.
// Encrypted as cursors are, for a purpose of its own: 8 bytes nonce, 8 bytes epoch, 6 bytes number.

import { randomBytes } from 'node:crypto'
import { openTextCipher } from './text-cipher.ts'

export interface ChangePosition {
  /** 16 hex digits: see schema/change-log.ts. */
  readonly epoch: string
  readonly sequence: number
}

export interface ChangePositions {
  /** Always of the same length. */
  write(position: ChangePosition): string
  /** Undefined where the site has not written it. */
  read(text: string): ChangePosition | undefined
}

const NONCE_BYTES = 8
const EPOCH_BYTES = 8
const NUMBER_BYTES = 6
const NUMBER_AT = NONCE_BYTES + EPOCH_BYTES

export function openChangePositions(siteKey: Uint8Array): ChangePositions {
  const cipher = openTextCipher(siteKey, 'change position')
  return {
    write({ epoch, sequence }) {
      const bytes = Buffer.concat([
        randomBytes(NONCE_BYTES),
        Buffer.alloc(NUMBER_AT + NUMBER_BYTES - NONCE_BYTES),
      ])
      bytes.write(epoch, NONCE_BYTES, EPOCH_BYTES, 'hex')
      bytes.writeUIntBE(sequence, NUMBER_AT, NUMBER_BYTES)
      return cipher.encrypt(bytes)
    },
    read(text) {
      const bytes = cipher.decrypt(text)
      if (bytes?.length !== NUMBER_AT + NUMBER_BYTES) return undefined
      return {
        epoch: bytes.toString('hex', NONCE_BYTES, NUMBER_AT),
        sequence: bytes.readUIntBE(NUMBER_AT, NUMBER_BYTES),
      }
    },
  }
}
