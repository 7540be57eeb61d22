// Texts that clients receive and send back, but only the site can read: cursors, change positions, tickets, links and
// previews.

import { hash, randomBytes } from 'node:crypto'
import { CmsError } from '../base/errors.ts'
import { openTextCipher } from './site-cipher.ts'

export interface SiteTokens {
  readonly cursors: CursorCipher
  readonly positions: ChangePositions
  readonly tickets: Tickets
  readonly links: LinkTokens
  readonly previews: PreviewTokens
}

export function openSiteTokens(siteKey: Uint8Array): SiteTokens {
  return {
    cursors: openCursorCipher(siteKey),
    positions: openChangePositions(siteKey),
    tickets: openTickets(siteKey),
    links: openLinkTokens(siteKey),
    previews: openPreviewTokens(siteKey),
  }
}

interface CursorCipher {
  /** Takes a text in base64url. */
  encrypt(cursor: string): string
  /** Throws bad-qry if the site did not encrypt the text. */
  decrypt(encrypted: string): string
}

/**
 * Cursors: the end of a page, encrypted because it contains a value of a record. The same cursor always gives the
 * same text (site-cipher.ts), so that an unchanged response keeps its bytes.
 */
export function openCursorCipher(siteKey: Uint8Array): CursorCipher {
  const cipher = openTextCipher(siteKey, 'cursor')
  return {
    encrypt: (cursor) => cipher.encrypt(Buffer.from(cursor, 'base64url')),
    decrypt(encrypted) {
      const opened = cipher.decrypt(encrypted)
      if (opened === undefined) throw notOurs()
      return opened.toString('base64url')
    },
  }
}

function notOurs(): CmsError {
  return new CmsError(
    'bad-qry',
    'The cursor was not issued by this site. Copy it from page.next unchanged, or leave it out.',
  )
}

interface ChangePosition {
  /** 16 hex digits: see schema/change-log.ts. */
  readonly epoch: string
  readonly sequence: number
}

interface ChangePositions {
  /** Always returns texts of the same length. */
  write(position: ChangePosition): string
  /** Undefined if the site did not write the text. */
  read(text: string): ChangePosition | undefined
}

const NONCE_BYTES = 8
const EPOCH_BYTES = 8
const NUMBER_BYTES = 6
const END_BYTES = 6
const NUMBER_AT = NONCE_BYTES + EPOCH_BYTES

/**
 * A client's position in the change log, as text that only the site can read. A nonce in front makes each text
 * different, so that positions do not reveal how many changes the key cannot see. Encrypted like cursors, for a
 * separate purpose: 8 bytes nonce, 8 bytes epoch, 6 bytes sequence number.
 */
function openChangePositions(siteKey: Uint8Array): ChangePositions {
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

interface Ticket {
  /** Path and query of the later request. */
  readonly target: string
  readonly secretHash: string
  readonly dateEnds: string
}

interface Tickets {
  make(ticket: Ticket): string
  /** Undefined if the site did not make the ticket. */
  open(text: string): OpenTicket | undefined
}

interface OpenTicket extends Omit<Ticket, 'target'> {
  readonly isFor: (target: string) => boolean
}

const SECRET_BYTES = 32
const TARGET_BYTES = 16

/**
 * Tickets authorize one address for a few minutes, where no header can be sent (<img>, <video>, a download link). A
 * ticket is not stored: it holds the hash of the secret that requested it. The caller is looked up at each use, so
 * the ticket ends with the key and grants what the key grants then. Encrypted like cursors, for a separate purpose: 6
 * bytes end in milliseconds, 32 bytes hash of the secret, 16 bytes of the hash of the target.
 */
function openTickets(siteKey: Uint8Array): Tickets {
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

interface PreviewToken {
  readonly apiKeyId: number
  /** Hash of the secret of the request that made the token. */
  readonly secretHash: string
  readonly dateEnds: string
  /** The origin of the administration area, whose pages may frame the preview. */
  readonly areaOrigin: string
}

interface PreviewTokens {
  /** `site`: the origin and the root folder. */
  make(token: PreviewToken & { readonly site: string }): string
  /** Undefined if the site did not make the token. */
  open(text: string): OpenPreviewToken | undefined
}

interface OpenPreviewToken extends PreviewToken {
  readonly isFor: (site: string) => boolean
}

const SECRET_AT = END_BYTES + NUMBER_BYTES
const SITE_AT = SECRET_AT + SECRET_BYTES
const AREA_AT = SITE_AT + TARGET_BYTES

/**
 * Tokens in the addresses of previews. A token is not stored, so every process and node can open it, also after a restart.
 * Encrypted like tickets, for a separate purpose: 6 bytes end in milliseconds, 6 bytes identifier of the key, 32 bytes hash of
 * the secret, 16 bytes of the hash of the site, the origin of the administration area.
 */
function openPreviewTokens(siteKey: Uint8Array): PreviewTokens {
  const cipher = openTextCipher(siteKey, 'preview')
  return {
    make({ apiKeyId, secretHash, site, dateEnds, areaOrigin }) {
      const numbers = Buffer.alloc(SECRET_AT)
      numbers.writeUIntBE(Date.parse(dateEnds), 0, END_BYTES)
      numbers.writeUIntBE(apiKeyId, END_BYTES, NUMBER_BYTES)
      const secret = Buffer.from(secretHash, 'hex')
      return cipher.encrypt(Buffer.concat([numbers, secret, markOf(site), Buffer.from(areaOrigin)]))
    },

    open(text) {
      const bytes = cipher.decrypt(text)
      if (bytes === undefined) return undefined
      const mark = bytes.subarray(SITE_AT, AREA_AT)
      return {
        dateEnds: new Date(bytes.readUIntBE(0, END_BYTES)).toISOString(),
        apiKeyId: bytes.readUIntBE(END_BYTES, NUMBER_BYTES),
        secretHash: bytes.toString('hex', SECRET_AT, SITE_AT),
        areaOrigin: bytes.toString('utf8', AREA_AT),
        isFor: (site) => mark.equals(markOf(site)),
      }
    },
  }
}

/** The cipher's key provides the security; this hash only distinguishes addresses. */
function markOf(target: string): Buffer {
  return Buffer.from(hash('sha256', target), 'hex').subarray(0, TARGET_BYTES)
}

interface LinkToken {
  readonly id: number
  readonly dateAdded: string
}

interface LinkTokens {
  make(link: LinkToken): string
  /** Undefined if the site did not make the token. */
  open(text: string): LinkToken | undefined
}

const ID_BYTES = 6

/**
 * The secret part of the address of a link to a file. It grants nothing by itself: the record of the link and its maker are
 * read at each use. The date distinguishes links with the same identifier before and after a backup was restored. Encrypted
 * like cursors, for a separate purpose: 6 bytes identifier, 6 bytes date in milliseconds.
 */
function openLinkTokens(siteKey: Uint8Array): LinkTokens {
  const cipher = openTextCipher(siteKey, 'link')
  return {
    make({ id, dateAdded }) {
      const bytes = Buffer.alloc(ID_BYTES + END_BYTES)
      bytes.writeUIntBE(id, 0, ID_BYTES)
      bytes.writeUIntBE(Date.parse(dateAdded), ID_BYTES, END_BYTES)
      return cipher.encrypt(bytes)
    },

    open(text) {
      const bytes = cipher.decrypt(text)
      if (bytes?.length !== ID_BYTES + END_BYTES) return undefined
      const dateAdded = new Date(bytes.readUIntBE(ID_BYTES, END_BYTES)).toISOString()
      return { id: bytes.readUIntBE(0, ID_BYTES), dateAdded }
    },
  }
}
