// A client's position in the change log, as text that only the site can read. A nonce in front makes each text
// different, so that positions do not reveal how many changes the key cannot see. Encrypted like cursors, for a
// separate purpose: 8 bytes nonce, 8 bytes epoch, 6 bytes sequence number.

import { randomBytes } from 'node:crypto'
import { openTextCipher } from './site-cipher.ts'

export interface ChangePosition {
  /** 16 hex digits: see schema/change-log.ts. */
  readonly epoch: string
  readonly sequence: number
}

export interface ChangePositions {
  /** Always returns texts of the same length. */
  write(position: ChangePosition): string
  /** Undefined if the site did not write the text. */
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
