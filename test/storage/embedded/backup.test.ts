// Backups on the command line, of a server that runs and of a site that does not: what they hold, what
// they share, what is refused.

import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { holdContents } from '../../../lib/storage/embedded/hold-contents.ts'
import { layoutOf } from '../../../lib/storage/embedded/layout.ts'
import { type Ended, runCli } from '../../helpers/child-server.ts'
import { makeFile, uploadFile } from '../../helpers/content.ts'
import {
  contentsIn,
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { eventually } from '../../helpers/raw.ts'
import { startTestServer, type TestServer } from '../../helpers/server.ts'
import { makeSite, type Site } from '../../helpers/site.ts'

let site: Site
let other: Site
before(async () => {
  site = await makeSite()
  other = await makeSite()
})
after(removeDataDirectories)

/** A name beside the data directory. */
function beside(dataDir: string, name: string): string {
  return join(dirname(dataDir), name)
}

function copyOf({ dataDir }: Site): string {
  const copy = newDataDirectory()
  cpSync(dataDir, copy, { recursive: true, preserveTimestamps: true })
  return copy
}

function backup(dataDir: string, target: string, args: readonly string[] = []): Promise<Ended> {
  return runCli(['backup', target, '--data', dataDir, ...args])
}

async function makeBackup(dataDir: string, name: string, previous?: string): Promise<string> {
  const target = beside(dataDir, name)
  const args = previous === undefined ? [] : ['--previous', previous]
  const { code, stderr } = await backup(dataDir, target, args)
  assert.equal(code, 0, stderr)
  return target
}

async function check(dataDir: string): Promise<string> {
  return (await runCli(['check', '--data', dataDir])).stdout
}

function readManifest(target: string): any {
  return JSON.parse(readFileSync(layoutOf(target).manifest, 'utf8'))
}

function namesOf(dataDir: string): readonly string[] {
  return contentsIn(dataDir).map((path) => basename(path))
}

/** The bytes of a content become others, of the same length. */
function damage(path: string): void {
  const bytes = readFileSync(path)
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
  rmSync(path)
  writeFileSync(path, bytes)
}

describe('a backup', { timeout: 120_000 }, () => {
  test('of a stopped site is a data directory of its own that check finds in order', async () => {
    const original = fingerprint(site.dataDir)
    const target = await makeBackup(site.dataDir, 'whole')

    assert.deepEqual(namesOf(target), namesOf(site.dataDir))
    assert.match(await check(target), /\nAll is well\.\n$/)
    assert.deepEqual(fingerprint(site.dataDir), original)
    const inodes = (dataDir: string) => contentsIn(dataDir).map((path) => statSync(path).ino)
    const shared = inodes(target).filter((inode) => inodes(site.dataDir).includes(inode))
    assert.deepEqual(shared, [])
    assert.deepEqual(
      [statSync(target).mode & 0o777, statSync(layoutOf(target).dataFile).mode & 0o777],
      [0o700, 0o600],
    )
  })

  test('shares with --previous what did not change, and what is damaged there is copied anew', async () => {
    const dataDir = copyOf(site)
    const first = await makeBackup(dataDir, 'first')
    const [bad = '', good = ''] = contentsIn(first)
    damage(bad)
    const server = await startTestServer({ dataDir })
    await makeFile(server)
    await server.stop()
    const second = await makeBackup(dataDir, 'second', first)

    const inodeOf = (path: string) => statSync(path).ino
    const same = (path: string) => join(second, path.slice(first.length))
    assert.equal(inodeOf(same(good)), inodeOf(good))
    assert.notEqual(inodeOf(same(bad)), inodeOf(bad))
    assert.equal(namesOf(second).length, namesOf(first).length + 1)
    assert.match(await check(second), /\nAll is well\.\n$/)
  })

  test('is its own again when a server starts on it, and the one that it shared with is as before', async (t) => {
    const dataDir = copyOf(site)
    const first = await makeBackup(dataDir, 'older')
    const second = await makeBackup(dataDir, 'newer', first)
    const untouched = fingerprint(first)
    const server = await startTestServer({ dataDir: second })
    t.after(() => server.stop())

    const [id] = site.fileIds
    assert.equal((await server.call('GET', `/file/${id}/a.html`)).text, '<p>a.html 1</p>')
    const links = contentsIn(second).map((path) => statSync(path).nlink)
    assert.deepEqual([...new Set(links)], [1])
    assert.ok(!existsSync(layoutOf(second).manifest))
    assert.equal((await server.call('DELETE', `/api/v2/asset_file/${id}`)).status, 204)
    assert.deepEqual(fingerprint(first), untouched)
  })

  test('leaves out a damaged content, tells it, and keeps the rest', async () => {
    const dataDir = copyOf(site)
    const [bad = '', gone = '', ...rest] = contentsIn(dataDir)
    damage(bad)
    rmSync(gone)
    const target = beside(dataDir, 'faulty')
    const { code, stdout } = await backup(dataDir, target)

    assert.equal(code, 1)
    assert.match(stdout, /FAULT asset_file \d version \d: the bytes are wrong\.\n/)
    assert.match(stdout, /FAULT asset_file \d version \d: the bytes are missing\.\n/)
    assert.match(stdout, /\n2 faults\. All else is there\.\n$/)
    const kept = rest.map((path) => basename(path))
    assert.deepEqual(namesOf(target), kept)
    assert.equal(readManifest(target).faults.length, 2)
    assert.match(await check(target), /2 faults/)
  })

  test('counts no content as a fault that was known to be lost', async () => {
    const dataDir = copyOf(site)
    rmSync(contentsIn(dataDir)[0] ?? '')
    assert.equal((await runCli(['check', '--data', dataDir, '--repair'])).code, 0)
    const { code, stdout } = await backup(dataDir, beside(dataDir, 'known'))
    assert.equal(code, 0)
    assert.match(stdout, /\nknown: 1 version marked damaged before\.\n$/)
  })
})

describe('a backup is refused', { timeout: 120_000 }, () => {
  interface Refusal {
    readonly what: string
    readonly code: number
    readonly says: RegExp
    readonly target?: (dataDir: string) => string
    readonly args?: (dataDir: string) => readonly string[]
    readonly prepare?: (dataDir: string) => unknown
  }
  const place = (dataDir: string): string => beside(dataDir, 'target')

  const refusals: readonly Refusal[] = [
    {
      what: 'where something is there already',
      code: 1,
      says: /is there already\. Give a name that is not\./,
      prepare: (dataDir) => mkdirSync(place(dataDir)),
    },
    {
      what: 'where the parent is not there',
      code: 1,
      says: /There is no directory .*\. Make it first\./,
      target: (dataDir) => beside(dataDir, 'no/target'),
    },
    {
      what: 'in the data directory',
      code: 1,
      says: /cannot lie in the data directory/,
      target: (dataDir) => join(dataDir, 'target'),
    },
    {
      what: 'when --previous is no backup',
      code: 65,
      says: /is no backup: backup\.json is missing/,
      args: (dataDir) => ['--previous', dataDir],
    },
    {
      what: 'when --previous is one of another site',
      code: 1,
      says: /is a backup of another site/,
      args: () => ['--previous', beside(other.dataDir, 'others')],
      prepare: () => makeBackup(other.dataDir, 'others'),
    },
    {
      what: 'where there are no records',
      code: 65,
      says: /There are no records in/,
      prepare: (dataDir) => rmSync(layoutOf(dataDir).dataFile),
    },
    {
      what: 'when the records are damaged',
      code: 65,
      says: /this is no LMDB file/,
      prepare: (dataDir) => writeFileSync(layoutOf(dataDir).dataFile, Buffer.alloc(9_000)),
    },
    {
      what: 'when records and content are of two sites',
      code: 65,
      says: /belong to two different sites/,
      prepare: (dataDir) =>
        cpSync(layoutOf(other.dataDir).instance, layoutOf(dataDir).instance, { force: true }),
    },
  ]
  for (const { what, code, says, target = place, args, prepare } of refusals) {
    test(`${what}, and nothing is left`, async () => {
      const dataDir = copyOf(site)
      await prepare?.(dataDir)
      const names = readdirSync(dirname(dataDir))
      const ended = await backup(dataDir, target(dataDir), args?.(dataDir))

      assert.match(ended.stderr, says)
      assert.equal(ended.code, code)
      assert.deepEqual(readdirSync(dirname(dataDir)), names)
    })
  }

  test('S30: of a later format, as are its restore and its check', async () => {
    const dataDir = copyOf(site)
    const target = await makeBackup(dataDir, 'format')
    for (const directory of [dataDir, target])
      writeFileSync(layoutOf(directory).instance, '{"format":2}')
    const before = fingerprint(dirname(dataDir))

    const restored = beside(dataDir, 'restored')
    for (const args of [
      ['backup', place(dataDir), '--data', dataDir],
      ['restore', target, '--data', restored],
      ['check', '--data', target],
    ]) {
      const { code, stderr } = await runCli(args)
      assert.match(stderr, /has format 2; this cms-server reads format 1\./)
      assert.equal(code, 65)
    }
    assert.deepEqual(fingerprint(dirname(dataDir)), before)
  })
})

describe('while a backup holds the contents', { timeout: 60_000 }, () => {
  async function startWithFile(): Promise<{ server: TestServer; id: number; path: string }> {
    const server = await startTestServer({ dataDir: newDataDirectory() })
    const { asset_file_id: id } = await uploadFile(server, Buffer.alloc(100_000, 7))
    const path = contentsIn(server.dataDir)[0] ?? ''
    return { server, id, path }
  }

  test('a delete is answered at once, and its bytes go when the backup is done', async (t) => {
    const { server, id, path } = await startWithFile()
    t.after(() => server.stop())
    const hold = await holdContents(layoutOf(server.dataDir))
    assert.equal((await server.call('DELETE', `/api/v2/asset_file/${id}`)).status, 204)
    assert.equal((await server.call('GET', `/api/v2/asset_file/${id}`)).status, 404)
    assert.ok(existsSync(path))

    await hold.release()
    assert.ok(await eventually(() => !existsSync(path)))
    const next = await uploadFile(server, Buffer.alloc(100_000, 8))
    const name = contentsIn(server.dataDir)[0] ?? ''
    await server.call('DELETE', `/api/v2/asset_file/${next.asset_file_id}`)
    assert.ok(!existsSync(name))
  })

  test('a second one is refused', async (t) => {
    const { server } = await startWithFile()
    t.after(() => server.stop())
    const hold = await holdContents(layoutOf(server.dataDir))
    const { code, stderr } = await backup(server.dataDir, beside(server.dataDir, 'second'))
    assert.deepEqual([code, /Another backup is being made/.test(stderr)], [1, true])

    await hold.release()
    await makeBackup(server.dataDir, 'third')
  })

  test('the server stops when it is told to, and the next start removes what was deleted', async () => {
    const { server, id, path } = await startWithFile()
    const hold = await holdContents(layoutOf(server.dataDir))
    await server.call('DELETE', `/api/v2/asset_file/${id}`)
    await server.stop()
    assert.ok(await eventually(() => hold.lost.aborted))
    assert.ok(existsSync(path))

    const again = await startTestServer({ dataDir: server.dataDir })
    await again.stop()
    assert.ok(!existsSync(path))
  })

  test('of a site without a server, none starts, and commands are told why', async () => {
    const dataDir = copyOf(site)
    const hold = await holdContents(layoutOf(dataDir))
    assert.equal((await runCli(['start', '--data', dataDir, '--port', '0'])).code, 75)
    for (const args of [
      ['backup', beside(dataDir, 'target')],
      ['key', 'list'],
    ]) {
      const { code, stderr } = await runCli([...args, '--data', dataDir])
      assert.deepEqual([code, /A backup of this directory is being made/.test(stderr)], [1, true])
    }
    await hold.release()
  })
})
