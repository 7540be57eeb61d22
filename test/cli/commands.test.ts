// Keys and users from the command line. Every test runs twice: through a server that owns the
// directory, and on a directory that nobody owns.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { valueOf } from '../../lib/schema/record.ts'
import { userPassword } from '../../lib/schema/user.ts'
import { layoutOf } from '../../lib/storage/embedded/layout.ts'
import { openLmdb } from '../../lib/storage/embedded/lmdb-kv.ts'
import { openRecords } from '../../lib/storage/records.ts'
import { type ChildServer, type Ended, runCli, startChild } from '../helpers/child-server.ts'
import { filesHolding } from '../helpers/data-directory.ts'
import { send, temporaryDirectory } from '../helpers/server.ts'

const SECRET_LINE = /^cms_[0-9A-Za-z]{49}\n$/

for (const isRunning of [true, false]) {
  describe(isRunning ? 'while the server runs' : 'while no server runs', () => {
    const directory = temporaryDirectory()
    const dataDir = join(directory, 'data')
    let server: ChildServer | undefined
    before(async () => {
      server = isRunning ? await startChild(dataDir) : undefined
    })
    after(async () => {
      await server?.kill('SIGTERM')
      rmSync(directory, { recursive: true, force: true })
    })

    const cli = (...args: readonly string[]): Promise<Ended> => runCli([...args, '--data', dataDir])
    const statusOf = (secret: string): Promise<number> => withServer(dataDir, server, async (url) => (await send(url, 'GET', '/api/v2/api_key', { key: secret.trim() })).status)

    test('a key works from its creation to its revocation', async () => {
      const created = await cli('key', 'create', '--name', 'site', '--role', 'viewer', '--category', '12', '--expires', '30d')
      assert.deepEqual([created.code, created.stderr], [0, ''])
      assert.match(created.stdout, SECRET_LINE)
      assert.equal(await statusOf(created.stdout), 200)

      const { stdout: list } = await cli('key', 'list')
      assert.match(list, /^\d+ +site +1 +active +view +12 +20\S+Z +cms_\S{4}…$/m)
      assert.ok(!list.includes(created.stdout.trim()))

      assert.equal((await cli('key', 'revoke', 'site')).code, 0)
      assert.equal(await statusOf(created.stdout), 401)
      assert.match((await cli('key', 'list')).stdout, /^\d+ +site +1 +inactive /m)
    })

    test('a rotated key has a new secret, and keeps the old one only when told so', async () => {
      const first = await cli('key', 'create', '--name', 'turning')
      const second = await cli('key', 'rotate', 'turning', '--keep-old', '1h')
      assert.match(second.stdout, SECRET_LINE)
      assert.deepEqual([await statusOf(first.stdout), await statusOf(second.stdout)], [200, 200])

      const third = await cli('key', 'rotate', 'turning')
      assert.deepEqual([await statusOf(first.stdout), await statusOf(second.stdout), await statusOf(third.stdout)], [401, 401, 200])
    })

    test('a user is made, listed and disabled, and its keys with it', async () => {
      assert.match((await cli('user', 'create', 'eva', '--role', 'editor')).stdout, /^The user eva has the number \d+\.\n$/)
      const { stdout: secret } = await cli('key', 'create', '--name', 'of eva', '--user', 'eva')
      assert.equal(await statusOf(secret), 200)
      assert.match((await cli('user', 'list')).stdout, /^\d+ +eva +editor +active$/m)

      assert.equal((await cli('user', 'disable', 'eva')).code, 0)
      assert.equal(await statusOf(secret), 401)
      assert.match((await cli('user', 'list')).stdout, /^\d+ +eva +editor +disabled$/m)
    })

    test('a password comes from stdin and is kept as an argon2id string alone', async () => {
      const short = await runCli(['user', 'password', 'admin', '--data', dataDir], { input: 'short\n' })
      assert.deepEqual([short.code, short.stderr], [1, 'cms-server: A password has at least 12 characters.\n'])

      const password = 'correct horse battery'
      const { code } = await runCli(['user', 'password', 'admin', '--data', dataDir], { input: `${password}\n` })
      assert.equal(code, 0)
      assert.match(await storedPassword(dataDir), /^\$argon2id\$/)
      assert.deepEqual(filesHolding(dataDir, password), [])
    })

    test('what is not there, or not unique, ends with 1 and one line that says what to do', async () => {
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

async function withServer<T>(dataDir: string, running: ChildServer | undefined, use: (url: string) => Promise<T>): Promise<T> {
  const server = running ?? (await startChild(dataDir))
  try {
    return await use(server.url)
  } finally {
    if (running === undefined) await server.kill('SIGTERM')
  }
}

async function storedPassword(dataDir: string): Promise<string> {
  const kv = openLmdb({ path: layoutOf(dataDir).records, readOnly: true, onFailure: () => undefined })
  try {
    const stored = openRecords(kv).get(userPassword, 1)
    return stored === undefined ? '' : valueOf<{ password: string }>(stored).password
  } finally {
    await kv.close()
  }
}
