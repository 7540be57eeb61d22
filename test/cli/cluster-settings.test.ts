// Settings that prevent the start of a cluster node. Each message says what to do and does not contain the
// password in the database address.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runCli } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { copySite, makeSite } from '../helpers/site.ts'

const PASSWORD = 'pa55-of-the-database'
/** No server listens on port 1. */
const DATABASE_URL = `postgres://cms:${PASSWORD}@127.0.0.1:1/cms`
const BOTH = { DATABASE_URL, S3_BUCKET: 'cms' }
const USAGE = 2
const FAILED = 1
const REFUSED = 65

after(removeDataDirectories)

interface Refused {
  readonly name: string
  readonly env: Readonly<Record<string, string>>
  readonly args?: readonly string[]
  readonly told: RegExp
}

const SETTINGS: readonly Refused[] = [
  { name: 'only a database', env: { DATABASE_URL }, told: /Set both .*or unset DATABASE_URL/ },
  { name: 'only a bucket', env: { S3_BUCKET: 'cms' }, told: /Set both .*or unset S3_BUCKET/ },
  {
    name: 'an empty address',
    env: { ...BOTH, DATABASE_URL: '' },
    told: /S3_BUCKET is set, but DATABASE_URL is not/,
  },
  {
    name: 'an empty bucket',
    env: { ...BOTH, S3_BUCKET: ' ' },
    told: /DATABASE_URL is set, but S3_BUCKET is not/,
  },
  {
    name: 'an endpoint that is not an address',
    env: { ...BOTH, S3_ENDPOINT: 's3.example.org' },
    told: /S3_ENDPOINT is not a valid address\. Set it to/,
  },
  {
    name: 'an invalid path style',
    env: { ...BOTH, S3_FORCE_PATH_STYLE: 'maybe' },
    told: /S3_FORCE_PATH_STYLE must be "yes" or "no"/,
  },
  {
    name: 'a prefix that leads to a parent',
    env: { ...BOTH, S3_PREFIX: '/../a' },
    told: /S3_PREFIX may contain/,
  },
  {
    name: 'half of the credentials',
    env: { ...BOTH, S3_ACCESS_KEY_ID: 'id' },
    told: /Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together/,
  },
  {
    name: 'an address and its file',
    env: { ...BOTH, DATABASE_URL_FILE: '/dev/null' },
    told: /DATABASE_URL and DATABASE_URL_FILE are both set\. Unset one of them/,
  },
  {
    name: 'a missing secret file',
    env: { ...BOTH, S3_SECRET_ACCESS_KEY_FILE: '/nowhere' },
    told: /S3_SECRET_ACCESS_KEY_FILE must be the path of a readable file/,
  },
  {
    name: 'an empty secret file',
    env: { S3_BUCKET: 'cms', DATABASE_URL: '', DATABASE_URL_FILE: '/dev/null' },
    told: /DATABASE_URL_FILE must be the path of a readable file that holds the value of DATABASE_URL/,
  },
  {
    name: 'several processes',
    env: BOTH,
    args: ['--processes', '2'],
    told: /--processes .*start more nodes/,
  },
  { name: 'an upgrade', env: BOTH, args: ['--upgrade'], told: /--upgrade cannot be combined/ },
  {
    name: 'a read-only node',
    env: BOTH,
    args: ['--read-only'],
    told: /--read-only cannot be combined/,
  },
  {
    name: 'downloads by nginx',
    env: BOTH,
    args: ['--accel-redirect', '/inner/'],
    told: /--accel-redirect cannot be combined/,
  },
]

describe('a node does not start with', { concurrency: 2 }, () => {
  for (const { name, env, args = [], told } of SETTINGS)
    test(name, async () => {
      const dataDir = newDataDirectory()
      const { code, stdout, stderr } = await runCli(['start', '--data', dataDir, ...args], { env })
      assert.deepEqual([code, stdout], [USAGE, ''], stderr)
      assert.match(stderr, told)
      assert.ok(!stderr.includes(PASSWORD))
    })
})

describe('a node with its settings does not start', { concurrency: 2 }, () => {
  const refuse = async (dataDir: string, told: RegExp, env: Refused['env'] = BOTH) => {
    const { code, stderr } = await runCli(['start', '--data', dataDir], { env })
    assert.equal(code, REFUSED, stderr)
    assert.match(stderr, told)
    assert.ok(!stderr.includes(PASSWORD))
  }

  test('in the directory of a single server, which stays unchanged', async () => {
    const dataDir = copySite((await makeSite()).dataDir)
    const before = readdirSync(dataDir).toSorted()
    await refuse(
      dataDir,
      /holds a site of a single server\. Move the site with "cms-server migrate"/,
    )
    assert.deepEqual(readdirSync(dataDir).toSorted(), before)
  })

  test('in a directory with other files', async () => {
    const dataDir = newDataDirectory()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'letter.txt'), 'Dear')
    await refuse(dataDir, /holds other files\. Give --data an empty directory/)
    assert.deepEqual(readdirSync(dataDir), ['letter.txt'])
  })

  test('with an address of another database than PostgreSQL', async () => {
    const env = { ...BOTH, DATABASE_URL: `mysql://cms:${PASSWORD}@127.0.0.1:1/cms` }
    await refuse(newDataDirectory(), /DATABASE_URL/, env)
  })

  test('while the database is unavailable, with an exit code for a restart', async () => {
    const { code, stderr } = await runCli(['start', '--data', newDataDirectory()], { env: BOTH })
    assert.equal(code, FAILED, stderr)
    assert.match(stderr, /The database cannot be used: .*ECONNREFUSED/)
    assert.ok(!stderr.includes(PASSWORD))
  })

  test('while the database in its secret file is unavailable', async () => {
    const path = `${newDataDirectory()}-database-url`
    writeFileSync(path, `${DATABASE_URL}\n`)
    const env = { S3_BUCKET: 'cms', DATABASE_URL_FILE: path }
    const { code, stderr } = await runCli(['start', '--data', newDataDirectory()], { env })
    assert.equal(code, FAILED, stderr)
    assert.match(stderr, /The database cannot be used: .*ECONNREFUSED/)
    assert.ok(!stderr.includes(PASSWORD))
  })
})

test('the directory of a node is refused by a single server and by commands that read a site', async () => {
  const dataDir = newDataDirectory()
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'node.json'), '{"format":1}\n')
  for (const args of [['start'], ['check'], ['backup', `${dataDir}-copy`]]) {
    const { code, stderr } = await runCli([...args, '--data', dataDir])
    assert.equal(code, REFUSED, `${args[0]}: ${stderr}`)
    assert.match(stderr, /node/)
  }
  assert.deepEqual(readdirSync(dataDir), ['node.json'])
})
