// Sends mail by SMTP, each message to one recipient on a connection of its own. Certificates are always checked.
// nodemailer is loaded with the first mail.

import { Socket } from 'node:net'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** The same for each attempt, so that mail programs recognize repeated messages. */
  readonly messageId: string
}

export interface MailFailure {
  /**
   * `refused`: the server permanently refuses this message. `later`: it temporarily refuses this message.
   * `unreachable`: it would refuse every message, or gave no answer.
   */
  readonly kind: 'refused' | 'later' | 'unreachable'
  readonly reason: string
}

export interface Mailer {
  /** Returns undefined if the server has accepted the message. Aborting the signal closes the connection. */
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<MailFailure | undefined>
}

export interface MailerOptions {
  readonly server: {
    readonly host: string
    readonly port: number
    readonly tls: 'always' | 'required' | 'none'
    readonly login: { readonly user: string; readonly pass: string } | undefined
  }
  readonly from: string
}

export function openMailer({ server, from }: MailerOptions): Mailer {
  const { host, port, tls, login } = server

  async function send(
    { to, subject, text, messageId }: Mail,
    signal: AbortSignal,
  ): Promise<MailFailure | undefined> {
    const { createTransport } = await import('nodemailer')
    const socket = new Socket()
    const end = (): void => void socket.destroy(new Error('the time for one mail is over'))
    const transport = createTransport({
      host,
      port,
      socket,
      secure: tls === 'always',
      requireTLS: tls === 'required',
      ignoreTLS: tls === 'none',
      tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' },
      ...(login !== undefined && { auth: login }),
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    try {
      await transport.sendMail({
        from,
        to: { name: '', address: to },
        envelope: { from, to: [to] },
        subject: inOneLine(subject),
        text,
        messageId,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
      return undefined
    } catch (error) {
      return failureOf(error)
    } finally {
      signal.removeEventListener('abort', end)
      transport.close()
      socket.destroy()
    }
  }

  return { send }
}

/** Headers never contain control characters or line separators. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}

const MAX_SHOWN = 200
/** Commands that concern only this message; other commands fail for every message. */
const OF_MESSAGE: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA'])

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  /** The status of the server. */
  readonly responseCode?: number
}

function failureOf(error: unknown): MailFailure {
  const { code, command, responseCode: status, message } = error as SmtpError
  const reason = message.slice(0, MAX_SHOWN)
  // nodemailer itself refuses a recipient without asking the server.
  if (code === 'EENVELOPE' && status === undefined) return { kind: 'refused', reason }
  if (status === undefined || !OF_MESSAGE.has(command)) return { kind: 'unreachable', reason }
  return { kind: status >= 500 ? 'refused' : 'later', reason }
}
