// Settings of the mail that the server sends: a group of their own in Config.

import { InvalidArgumentError } from 'commander'
import { EMAIL } from '../shared/email.ts'
import { isOwnHost, secretIn } from './flag-values.ts'
import { setting, type Table } from './setting.ts'

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `always`: from the first byte; `required`: by STARTTLS; `none`: only for this machine. */
  readonly tls: 'always' | 'required' | 'none'
  readonly login: { readonly user: string; readonly pass: string } | undefined
}

export const MAIL = {
  /** Undefined: the server sends no mail. */
  server: setting<SmtpServer | undefined>(
    '--smtp-url-file <file>',
    'file with the address of the mail server, which may contain a password: smtps://user:password@smtp.example.org; without it, no mail is sent',
    { read: smtpServerIn },
  ),
  from: setting<string | undefined>('--mail-from <address>', 'sender address of all mail', {
    read: sender,
  }),
  language: setting<'en' | 'de'>('--mail-language <language>', 'language of all mail', {
    read: ['en', 'de'],
    usual: 'en',
  }),
} satisfies Table

/** The file is read at start. Messages do not contain its text. */
function smtpServerIn(path: string): SmtpServer {
  const text = secretIn(path)
  const found = URL.canParse(text) ? smtpServerOf(new URL(text)) : undefined
  if (found !== undefined) return found
  throw new InvalidArgumentError(
    'Give a file that contains an address such as smtps://user:password@smtp.example.org:465 or smtp://localhost.',
  )
}

/** Parameters in the address are rejected, so that none can disable the check of certificates. */
function smtpServerOf(url: URL): SmtpServer | undefined {
  const { protocol, hostname, port, pathname, search, hash } = url
  const isSmtp = protocol === 'smtp:' || protocol === 'smtps:'
  const isPlace = hostname !== '' && ['', '/'].includes(pathname) && search + hash === ''
  if (!isSmtp || !isPlace || (url.username === '') !== (url.password === '')) return undefined
  const isSecure = protocol === 'smtps:'
  const tls = isOwnHost(hostname) ? 'none' : 'required'
  try {
    const [user, pass] = [url.username, url.password].map(decodeURIComponent)
    return {
      host: decodeURIComponent(hostname).replace(/^\[|\]$/g, ''),
      port: port === '' ? (isSecure ? 465 : 587) : Number(port),
      tls: isSecure ? 'always' : tls,
      login: user && pass ? { user, pass } : undefined,
    }
  } catch {
    // A percent sign that begins no escape.
    return undefined
  }
}

function sender(text: string): string {
  if (EMAIL.test(text)) return text
  throw new InvalidArgumentError('Give an email address, such as cms@example.org.')
}
