// Restoring a backup: a rehearsal of a loss, and checks that refuse a restore before anything is
// lost.

import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { type Ended, makeKey, runCli, startChild } from '../../helpers/child-server.ts'
import { make, makeFile, uploadFile } from '../../helpers/content.ts'
import {
  contentsIn,
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
} from '../../helpers/data-directory.ts'
import { send, startTestServer, type TestServer } from '../../helpers/server.ts'
import { copySite, makeSite, openSite, type Site } from '../../helpers/site.ts'
import { openPool } from '../../../lib/workers/pool.ts'

const pool = openPool(1)
let site: Site
let backup: string
before(async () => {
  site = await makeSite()
  backup = `${site.dataDir}-backup`
  assert.equal((await runCli(['backup', backup, '--data', site.dataDir])).code, 0)
})
after(async () => {
  await pool.close()
  removeDataDirectories()
})

function restore(from: string, dataDir: string): Promise<Ended> {
  return runCli(['restore', from, '--data', dataDir])
}

const LISTS = ['asset_category', 'asset_file', 'file_group', 'datatable', 'user', 'api_key']

/** All data of a site that the interface returns. */
async function recordsOf(server: TestServer): Promise<object> {
  const lists: [string, unknown][] = []
  for (const name of LISTS) {
    const { body } = await server.call('GET', `/api/v2/${name}?length=1000`)
    const records = body[name] as readonly any[]
    // Each test server makes and uses its own key named "admin", so these keys differ.
    const kept = name === 'api_key' ? records.filter((key) => key.name !== 'admin') : records
    lists.push([name, kept])
  }
  const entries = await server.call('GET', '/api/v2/module/datatable/1/books?fields=*&length=1000')
  const versions = await server.call('GET', '/api/v2/asset_file/2/versions')
  return { ...Object.fromEntries(lists), entries: entries.body, versions: versions.body }
}

async function exportSite(server: TestServer, target: string): Promise<object> {
  const args = ['export', target, '--url', server.url, '--key', server.key]
  const { code, stderr } = await runCli(args)
  assert.equal(code, 0, stderr)
  return fingerprint(target)
}

/** Creates small and large files, drafts, a table, a group and a user. */
async function fillSite(server: TestServer): Promise<void> {
  const live = { fileState: 'publish' }
  for (const name of ['a.html', 'b.html']) await makeFile(server, { name, ...live })
  await uploadFile(server, Buffer.alloc(1_500_000, 'large'), { ...live, fileName: 'large.bin' })
  await server.call('POST', '/api/v2/asset_file/2', { json: { pageContent: '<p>draft</p>' } })
  await make(server, 'file_group', { name: 'g', asset_file_ids: [2, 3] })
  await make(server, 'user', { name: 'mia', role: 'editor' })
  await make(server, 'datatable', { name: 'Books', table_schema: 'title C(255) UNIQUE' })
  const rows = Array.from({ length: 100 }, (_, row) => ({ title: `title ${row}` }))
  const path = '/api/v2/module/datatable/1/books'
  assert.equal((await server.call('POST', path, { json: rows })).status, 201)
}

test('S41: a lost site is restored from its backup with the same records and exports, and identifiers continue', async (t) => {
  const server = await startTestServer({ dataDir: newDataDirectory() })
  await fillSite(server)
  const deleted = await makeFile(server)
  await server.call('DELETE', `/api/v2/asset_file/${deleted.asset_file_id}`)
  const target = `${server.dataDir}-backup`
  assert.equal((await runCli(['backup', target, '--data', server.dataDir])).code, 0)
  const records = await recordsOf(server)
  const exported = await exportSite(server, `${server.dataDir}-export`)
  await server.close()

  const { code, stdout, stderr } = await restore(target, server.dataDir)
  assert.equal(code, 0, stderr)
  assert.match(
    stdout,
    /\n\d+ records, \d+ files? of \d+ bytes\nKeys and users are restored as they were/,
  )
  const again = await startTestServer({ dataDir: server.dataDir })
  t.after(() => again.stop())
  assert.deepEqual(await recordsOf(again), records)
  assert.deepEqual(await exportSite(again, `${server.dataDir}-again`), exported)
  assert.equal((await makeFile(again)).asset_file_id, deleted.asset_file_id + 1)
  assert.match((await runCli(['check', '--data', server.dataDir])).stdout, /\nNo faults found\.\n$/)
})

describe('a restore', () => {
  test('accepts a directory that contains only its README', async () => {
    const dataDir = newDataDirectory()
    mkdirSync(dataDir)
    writeFileSync(join(dataDir, 'README.md'), 'data')
    assert.equal((await restore(backup, dataDir)).code, 0)
    const names = (directory: string) => contentsIn(directory).map((path) => basename(path))
    assert.deepEqual(names(dataDir), names(site.dataDir))
    assert.ok(!existsSync(dataPathsOf(dataDir).restoring))
    assert.equal(statSync(dataPathsOf(dataDir).dataFile).mode & 0o777, 0o600)
  })

  test('omits a damaged content of the backup, reports it, and keeps the rest', async () => {
    const faulty = copySite(backup)
    const [bad = '', ...rest] = contentsIn(faulty)
    writeFileSync(bad, 'other bytes')
    const dataDir = newDataDirectory()
    const { code, stdout } = await restore(faulty, dataDir)
    assert.equal(code, 1)
    assert.match(stdout, /FAULT asset_file \d version \d: the bytes are wrong\.\n1 fault\./)
    assert.equal(contentsIn(dataDir).length, rest.length)
  })

  test('that was interrupted is not served, and the next one starts over', async () => {
    const dataDir = copySite(backup)
    rmSync(dataPathsOf(dataDir).manifest)
    rmSync(contentsIn(dataDir)[0] ?? '')
    writeFileSync(dataPathsOf(dataDir).restoring, '{}')
    for (const args of [['start', '--port', '0'], ['check'], ['backup', `${dataDir}-x`]]) {
      const { code, stderr } = await runCli([...args, '--data', dataDir])
      assert.deepEqual(
        [code, /A restore into this directory was interrupted/.test(stderr)],
        [65, true],
      )
    }

    assert.equal((await restore(backup, dataDir)).code, 0)
    assert.equal(contentsIn(dataDir).length, contentsIn(backup).length)
    await (await openSite(dataDir, pool)).close()
  })

  const refusals: readonly {
    readonly what: string
    readonly says: RegExp
    readonly code: number
    readonly from?: () => string
    readonly into?: (dataDir: string) => void
  }[] = [
    {
      what: 'over a site',
      code: 1,
      says: /is not empty\. Give --data an empty or new directory\./,
      into: (dataDir) => cpSync(site.dataDir, dataDir, { recursive: true }),
    },
    {
      what: 'from a directory that is not a backup',
      code: 65,
      says: /is not a backup: backup\.json is missing or incomplete/,
      from: () => site.dataDir,
    },
    {
      what: 'from a backup with a truncated manifest',
      code: 65,
      says: /is not a backup: backup\.json is missing or incomplete/,
      from: () => changed(({ manifest }) => writeFileSync(manifest, '{"format":2')),
    },
    {
      what: 'from a backup whose records are damaged',
      code: 65,
      says: /records of the backup \(records\/data\.mdb\) are wrong: .* Nothing was restored/,
      from: () => changed(({ dataFile }) => flip(dataFile, 9_000)),
    },
    {
      what: 'from a backup whose records are missing',
      code: 65,
      says: /are missing: .* Nothing was restored/,
      from: () => changed(({ dataFile }) => rmSync(dataFile)),
    },
  ]
  for (const { what, says, code, from = () => backup, into } of refusals) {
    test(`is refused ${what}, and changes nothing`, async () => {
      const dataDir = newDataDirectory()
      into?.(dataDir)
      const around = fingerprint(dirname(dataDir))
      const ended = await restore(from(), dataDir)
      assert.match(ended.stderr, says)
      assert.equal(ended.code, code)
      assert.deepEqual(fingerprint(dirname(dataDir)), around)
    })
  }

  test('is refused while a server runs', async (t) => {
    const server = await startTestServer({ dataDir: newDataDirectory() })
    t.after(() => server.stop())
    const { code, stderr } = await restore(backup, server.dataDir)
    assert.deepEqual([code, /Another cms-server owns/.test(stderr)], [75, true])
    assert.equal((await server.call('GET', '/api/v2/user')).status, 200)
  })

  function changed(change: (dataPaths: ReturnType<typeof dataPathsOf>) => void): string {
    const copy = copySite(backup)
    change(dataPathsOf(copy))
    return copy
  }

  function flip(path: string, at: number): void {
    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(path, bytes)
  }
})

test('a restore keeps the keys of the backup and says so, or revokes all of them', async () => {
  const dataDir = copySite(site.dataDir)
  const secret = await makeKey(dataDir)
  const from = `${dataDir}-backup`
  assert.equal((await runCli(['backup', from, '--data', dataDir])).code, 0)
  assert.equal((await runCli(['key', 'revoke', 'test', '--data', dataDir])).code, 0)

  const statusIn = async (target: string): Promise<number> => {
    const server = await startChild(target)
    const { status } = await send(server.url, 'GET', '/api/v2/me', { key: secret })
    await server.kill('SIGKILL')
    return status
  }
  const [revived, ended] = [newDataDirectory(), newDataDirectory()]
  const told = await restore(from, revived)
  assert.match(told.stdout, /that were disabled since then are active again/)
  assert.equal(await statusIn(revived), 200)

  const args = ['restore', from, '--data', ended, '--revoke-keys']
  const { code, stdout, stderr } = await runCli(args)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\n\d+ keys? revoked, and all sessions and links ended\.\n$/)
  assert.equal(await statusIn(ended), 401)
})
