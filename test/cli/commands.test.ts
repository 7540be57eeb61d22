// Keys and users from the command line. Every test runs twice: through the server that owns the directory,
// and on a directory without a running server.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openCallers } from '../../lib/auth/caller.ts'
import { hashSecret } from '../../lib/auth/secret.ts'
import { userPassword } from '../../lib/schema/user.ts'
import { dataPathsOf } from '../../lib/storage/embedded/data-paths.ts'
import { openLmdb } from '../../lib/storage/embedded/lmdb-kv.ts'
import type { Records } from '../../lib/storage/port.ts'
import { openRecords } from '../../lib/storage/records/records.ts'
import { type ChildServer, type Ended, runCli, startChild } from '../helpers/child-server.ts'
import { filesHolding, newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { send } from '../helpers/server.ts'

const SECRET_LINE = /^cms_[0-9A-Za-z]{49}\n$/

for (const isRunning of [true, false]) {
  describe(isRunning ? 'while the server runs' : 'while no server runs', () => {
    const dataDir = newDataDirectory()
    let server: ChildServer | undefined
    before(async () => {
      server = await startChild(dataDir)
      if (isRunning) return
      await server.kill('SIGTERM')
      server = undefined
    })
    after(async () => {
      await server?.kill('SIGTERM')
      removeDataDirectories()
    })

    const cli = (...args: readonly string[]): Promise<Ended> => runCli([...args, '--data', dataDir])
    const isValid = (secret: string): Promise<boolean> =>
      server === undefined
        ? isStored(dataDir, secret.trim())
        : isAccepted(server.url, secret.trim())

    test('a key works from its creation to its revocation', async () => {
      const created = await cli(
        'key',
        'create',
        '--name',
        'site',
        '--role',
        'viewer',
        '--category',
        '12',
        '--expires',
        '30d',
      )
      assert.equal(created.code, 0)
      assert.match(created.stderr, /^The key expires at 20\S+Z\.\n$/)
      assert.match(created.stdout, SECRET_LINE)
      assert.equal(await isValid(created.stdout), true)

      const { stdout: list } = await cli('key', 'list')
      assert.match(list, /^\d+ +site +1 +active +view +12 +20\S+Z +command +cms_\S{4}…$/m)
      assert.ok(!list.includes(created.stdout.trim()))

      assert.equal((await cli('key', 'revoke', 'site')).code, 0)
      assert.equal(await isValid(created.stdout), false)
      assert.match((await cli('key', 'list')).stdout, /^\d+ +site +1 +inactive /m)
    })

    test('a rotated key has a new secret and keeps the old one only on request', async () => {
      const first = await cli('key', 'create', '--name', 'turning')
      const second = await cli('key', 'rotate', 'turning', '--keep-old', '1h')
      assert.match(second.stdout, SECRET_LINE)
      assert.deepEqual([await isValid(first.stdout), await isValid(second.stdout)], [true, true])

      const third = await cli('key', 'rotate', 'turning')
      assert.deepEqual([await isValid(first.stdout), await isValid(second.stdout)], [false, false])
      assert.equal(await isValid(third.stdout), true)

      const unknown = await cli('key', 'rotate', '99')
      assert.match(
        unknown.stderr,
        /^cms-server: There is no key 99\. Use the number that "cms-server key list"/,
      )
    })

    test('a user is created, listed and disabled together with its keys', async () => {
      assert.match(
        (await cli('user', 'create', 'eva', '--role', 'editor')).stdout,
        /^Created the user eva with the number \d+\.\n$/,
      )
      const { stdout: secret } = await cli('key', 'create', '--name', 'of eva', '--user', 'eva')
      assert.equal(await isValid(secret), true)
      assert.match((await cli('user', 'list')).stdout, /^\d+ +eva +editor +active$/m)

      assert.equal((await cli('user', 'disable', 'eva')).code, 0)
      assert.equal(await isValid(secret), false)
      assert.match((await cli('user', 'list')).stdout, /^\d+ +eva +editor +disabled$/m)

      assert.match(
        (await cli('user', 'enable', 'eva')).stdout,
        /^The user eva is enabled\. The keys of the user are/,
      )
      assert.equal(await isValid(secret), true)
      const last = await cli('user', 'disable', 'admin')
      assert.equal(last.code, 1)
      assert.match(last.stderr, /^cms-server: admin is the last active administrator\. .*\n$/)
    })

    test('a key that expires on a day is valid to the end of the day in the given time zone', async () => {
      const create = ['key', 'create', '--name', 'until', '--expires'] as const
      const berlin = await cli(...create, '2096-12-31', '--time-zone', 'Europe/Berlin')
      assert.equal(berlin.stderr, 'The key expires at 2096-12-31T23:00:00.000Z.\n')
      const env = { TZ: 'America/New_York' }
      const here = await runCli([...create, '2096-07-31', '--data', dataDir], { env })
      assert.equal(here.stderr, 'The key expires at 2096-08-01T04:00:00.000Z.\n')
      const moment = await cli(...create, '2096-12-31T12:00:00+01:00')
      assert.equal(moment.stderr, 'The key expires at 2096-12-31T11:00:00.000Z.\n')
    })

    test('an invalid limit of a key creates no key', async () => {
      const create = ['key', 'create', '--name', 'limited']
      const refused: readonly (readonly [string, string, number, RegExp])[] = [
        ['--category', 'abc', 2, /Give a whole number of at least 1\./],
        ['--category', '', 2, /Give a whole number of at least 1\./],
        ['--category', '1.5', 2, /Give a whole number of at least 1\./],
        ['--category', '777', 1, /there is no 777/],
        ['--expires', '2020-01-01', 1, /must lie in the future/],
        ['--expires', '0d', 1, /must lie in the future/],
        ['--expires', 'soon', 1, /must be a date/],
        ['--expires', '2096-02-31', 1, /must be a date/],
        ['--grants', '', 1, /must be a list of grants/],
      ]
      for (const [flag, value, code, says] of refused) {
        const ended = await cli(...create, flag, value)
        assert.deepEqual([ended.code, ended.stdout], [code, ''], `${flag} ${value}`)
        assert.match(ended.stderr, says)
      }
      assert.doesNotMatch((await cli('key', 'list')).stdout, / limited /)
    })

    test('a password is read from stdin, stored only as an argon2id string, and signs in', async () => {
      const short = await runCli(['user', 'password', 'admin', '--data', dataDir], {
        input: 'elevenchars\n',
      })
      assert.deepEqual(
        [short.code, short.stderr],
        [1, 'cms-server: A password must have at least 12 characters.\n'],
      )

      const password = 'tr0ub4dor&3x'
      const { code } = await runCli(['user', 'password', 'admin', '--data', dataDir], {
        input: `${password}\n`,
      })
      assert.equal(code, 0)
      assert.match(await storedPassword(dataDir), /^\$argon2id\$/)
      assert.deepEqual(filesHolding(dataDir, password), [])

      if (server === undefined) return
      const json = { name: 'admin', password }
      assert.equal((await send(server.url, 'POST', '/api/v2/session', { json })).status, 201)
      assert.match((await cli('key', 'list')).stdout, / sign-in +cms_\S{4}…$/m)
    })

    test('a missing or ambiguous name exits with 1 and one line of advice', async () => {
      await cli('key', 'create', '--name', 'twin')
      await cli('key', 'create', '--name', 'twin')
      const refused = [
        await cli('key', 'revoke', 'nobody'),
        await cli('key', 'revoke', 'twin'),
        await cli('key', 'create', '--name', 'x', '--user', 'nobody'),
        await cli('user', 'create', 'ADMIN'),
      ]
      for (const { code, stdout, stderr } of refused) {
        assert.deepEqual([code, stdout], [1, ''])
        assert.match(stderr, /^cms-server: [A-Z2].*\n$/)
      }
    })
  })
}

async function isAccepted(url: string, key: string): Promise<boolean> {
  const { status } = await send(url, 'GET', '/api/v2/api_key', { key })
  assert.ok(status === 200 || status === 401)
  return status === 200
}

function isStored(dataDir: string, secret: string): Promise<boolean> {
  return readRecords(dataDir, (records) => {
    return (
      openCallers(records, 1)({ text: secret, hash: hashSecret(secret) }, new Date()) !== undefined
    )
  })
}

function storedPassword(dataDir: string): Promise<string> {
  return readRecords(dataDir, (records) => {
    const stored = records.get(userPassword, 1)
    return stored === undefined ? '' : stored.value.password
  })
}

async function readRecords<T>(dataDir: string, read: (records: Records) => T): Promise<T> {
  const kv = openLmdb({
    path: dataPathsOf(dataDir).records,
    readOnly: true,
    onFailure: () => undefined,
  })
  try {
    return read(openRecords(kv))
  } finally {
    await kv.close()
  }
}
