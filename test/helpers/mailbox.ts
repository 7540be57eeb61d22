// A mail server on this machine that keeps the messages it gets.

import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { closeAtEnd } from './leftovers.ts'

export interface KeptMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and body as they were sent. */
  readonly raw: string
  /** Header lines without line breaks inside. */
  readonly headers: readonly string[]
  /** The decoded body. */
  readonly text: string
}

/** No other program listens at this address of the process, so its ports stay free for a mailbox that is opened again. */
export const OWN_HOST = `127.25.${(process.pid >> 8) & 255}.${process.pid & 255}`

interface Place {
  readonly host: string
  readonly port: number
}

export interface Mailbox extends Place {
  readonly mails: readonly KeptMail[]
  /** Resolves after this number of messages. */
  until(count: number): Promise<readonly KeptMail[]>
  /** Refuses the next messages to this address, each with one of these statuses. */
  refuse(address: string, ...statuses: readonly number[]): void
  close(): Promise<void>
}

const open = new Set<Mailbox>()
closeAtEnd(closeMailboxes)

/** Closes the mailboxes that failed tests have left. */
export async function closeMailboxes(): Promise<void> {
  await Promise.all([...open].map((mailbox) => mailbox.close()))
}

export async function openMailbox(
  options: SMTPServerOptions = {},
  { host, port }: Place = { host: '127.0.0.1', port: 0 },
): Promise<Mailbox> {
  const mails: KeptMail[] = []
  const refusals = new Map<string, number[]>()
  let waiting: (() => void)[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const status = refusals.get(address)?.shift()
      const refused = Object.assign(new Error('not now'), { responseCode: status })
      done(status === undefined ? null : refused)
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        mails.push({ from, to, ...parse(Buffer.concat(chunks).toString()) })
        done(null)
        for (const wake of waiting.splice(0)) wake()
      })
    },
    ...options,
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  // Clients that close their connection are no failure of a test.
  server.on('error', () => undefined)

  const own: Mailbox = {
    host,
    port: (server.server.address() as AddressInfo).port,
    mails,
    async until(count) {
      while (mails.length < count)
        await new Promise<void>((resolve) => void (waiting = [...waiting, resolve]))
      return mails
    },
    refuse: (address, ...statuses) => void refusals.set(address, [...statuses]),
    async close() {
      open.delete(own)
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  open.add(own)
  return own
}

function parse(raw: string): Pick<KeptMail, 'raw' | 'headers' | 'text'> {
  const [head = '', ...body] = raw.split('\r\n\r\n')
  const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  const text = body.join('\r\n\r\n').replaceAll('\r\n', '\n')
  const isQuoted = headers.includes('Content-Transfer-Encoding: quoted-printable')
  return { raw, headers, text: isQuoted ? decode(text) : text }
}

/** Quoted-printable (RFC 2045, 6.7). */
function decode(text: string): string {
  const escaped = text.replace(/=\n/g, '').replace(/=([0-9A-F]{2})/g, '%$1')
  return decodeURIComponent(escaped.replace(/%(?![0-9A-F]{2})/g, '%25'))
}
