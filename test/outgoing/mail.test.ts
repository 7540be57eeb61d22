// The mailer against a real mail server: certificates, login, headers and refusals.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MailerOptions, openMailer } from '../../lib/outgoing/mail.ts'
import { openMailbox } from '../helpers/mailbox.ts'

const FROM = 'cms@example.org'
const MAIL = { to: 'ada@example.org', subject: 'Hello', text: 'One\n.\nTwo', messageId: '<1@x>' }
const { signal: NEVER } = new AbortController()

type Server = MailerOptions['server']

function mailerTo(port: number, server: Partial<Server> = {}) {
  const place: Server = { host: '127.0.0.1', port, tls: 'none', login: undefined }
  return openMailer({ server: { ...place, ...server }, from: FROM })
}

test('a message arrives with its headers, and a line break in the subject adds no header', async () => {
  const box = await openMailbox()
  const mailer = mailerTo(box.port)
  const subject = 'Hello\r\nBcc: eve@example.org\n\nx\u2028y'
  assert.equal(await mailer.send({ ...MAIL, subject }, NEVER), undefined)
  const [mail] = await box.until(1)
  assert.deepEqual([mail?.from, mail?.to, mail?.text], [FROM, ['ada@example.org'], 'One\n.\nTwo\n'])
  const own = mail?.headers.filter((line) => !/^(Date|Content-|MIME)/.test(line))
  assert.deepEqual(own?.toSorted(), [
    'Auto-Submitted: auto-generated',
    'From: cms@example.org',
    'Message-ID: <1@x>',
    'Subject: Hello Bcc: eve@example.org x y',
    'To: ada@example.org',
  ])
  await box.close()
})

test('a server whose certificate is not trusted, or that offers no TLS, gets no message', async () => {
  const secure = await openMailbox({ secure: true })
  const started = await openMailbox({ disabledCommands: [] })
  const plain = await openMailbox()
  const cases = [
    [secure, 'always', /certificate/],
    [started, 'required', /certificate/],
    [plain, 'required', /STARTTLS/],
  ] as const
  for (const [box, tls, reason] of cases) {
    const failure = await mailerTo(box.port, { tls }).send(MAIL, NEVER)
    assert.equal(failure?.kind, 'unreachable')
    assert.match(failure.reason, reason)
    assert.deepEqual(box.mails, [])
    await box.close()
  }
})

test('the mailer signs in, and a wrong password concerns every message', async () => {
  const box = await openMailbox({
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      done(null, username === 'cms' && password === 'sec ret' ? { user: 'cms' } : {}),
  })
  const login = { user: 'cms', pass: 'sec ret' }
  assert.equal(await mailerTo(box.port, { login }).send(MAIL, NEVER), undefined)
  const wrong = mailerTo(box.port, { login: { ...login, pass: 'other' } })
  assert.equal((await wrong.send(MAIL, NEVER))?.kind, 'unreachable')
  assert.equal(box.mails.length, 1)
  await box.close()
})

test('a refused recipient is told from a server that cannot be reached', async () => {
  const box = await openMailbox()
  const mailer = mailerTo(box.port)
  box.refuse(MAIL.to, 550, 451)
  assert.equal((await mailer.send(MAIL, NEVER))?.kind, 'refused')
  assert.equal((await mailer.send(MAIL, NEVER))?.kind, 'later')
  assert.equal(await mailer.send(MAIL, NEVER), undefined)
  await box.close()
  assert.equal((await mailer.send(MAIL, NEVER))?.kind, 'unreachable')
})

test('the end of its time closes the connection to a server that does not answer', async () => {
  const end = new AbortController()
  const box = await openMailbox({ onConnect: () => end.abort() })
  assert.equal((await mailerTo(box.port).send(MAIL, end.signal))?.kind, 'unreachable')
  await box.close()
})
