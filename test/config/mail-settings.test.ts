// The file with the address of the mail server, and the sender.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { MAIL } from '../../lib/config/mail-settings.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { makeDirectory } from '../../lib/base/make-directory.ts'

after(removeDataDirectories)

async function read(text: string) {
  const directory = newDataDirectory()
  makeDirectory(directory)
  const path = join(directory, 'smtp-url')
  writeFileSync(path, `${text}\n`)
  assert.ok(typeof MAIL.server.read === 'function')
  return MAIL.server.read(path)
}

test('the address gives host, port, TLS and login', async () => {
  const [host, login] = ['smtp.example.org', { user: 'me@x.org', pass: 'a:b/c' }]
  assert.deepEqual(await read('smtps://me%40x.org:a%3Ab%2Fc@smtp.example.org'), {
    host,
    port: 465,
    tls: 'always',
    login,
  })
  const plain = { login: undefined, port: 587 }
  assert.deepEqual(await read('smtp://smtp.example.org/'), { ...plain, host, tls: 'required' })
  const own = { ...plain, port: 25, host: '::1', tls: 'none' }
  assert.deepEqual(await read('smtp://[::1]:25'), own)
})

test('other addresses are refused, and no message contains the password', async () => {
  const wrong = [
    'https://u:secret@smtp.example.org',
    'smtp.example.org:secret',
    'smtps://u:secret@smtp.example.org/?tls.rejectUnauthorized=false',
    'smtps://u:secret@smtp.example.org/secret',
    'smtps://:secret@smtp.example.org',
    'smtps://u:secret%@smtp.example.org',
    'smtps://u:secret@',
  ]
  for (const text of wrong)
    await assert.rejects(read(text), ({ message }: Error) => {
      assert.match(message, /^Give a file that contains an address such as smtps:/)
      assert.ok(!message.includes('secret'))
      return true
    })
})
