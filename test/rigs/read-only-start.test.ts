// A server that is started with --read-only, on a read-only mount and on a writable directory,
// where it changes no file. A writer was killed before each start, so that repairs are pending.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories, sha256 } from '../helpers/data-directory.ts'
import { eventually } from '../helpers/raw.ts'
import { send } from '../helpers/server.ts'
import { openMounts, whyNoMounts } from './mounts.ts'
import { MADE, makeOperationSite, OPERATIONS } from './operations.ts'
import { readState, type Site, type SiteState } from './site-state.ts'

const ARGS = ['--min-free-mb', '0', '--scrub-days', '0']
const READ_ONLY = [...ARGS, '--read-only']
const FILE = '/api/v2/asset_file'
const PAGES = 40

/**
 * The directory of a killed writer: some contents are still rows of the records and not yet files.
 */
let crashed: { readonly dataDir: string; readonly key: string; readonly state: SiteState }
before(async () => {
  const { dataDir, key } = await makeOperationSite()
  const { state } = await crash(dataDir, key)
  crashed = { dataDir, key, state }
})
after(removeDataDirectories)

/** Kills a writer while contents are being saved, and returns the acknowledged state. */
async function crash(dataDir: string, key: string): Promise<{ readonly state: SiteState }> {
  const server = await startChild(dataDir, ARGS)
  const site = { url: server.url, key }
  const post = (name: string, text: string) => {
    const json = {
      name,
      type: 'html',
      parent_category_id: 1,
      pageContent: text,
      fileState: 'publish',
    }
    return send(server.url, 'POST', FILE, { key, json })
  }
  const answers = await Promise.all(
    Array.from({ length: PAGES }, (_, index) => post(`crash-${index}.html`, `<p>${index}`)),
  )
  assert.ok(answers.every(({ status }) => status < 300))
  const state = await readState(site)
  // This content was just acknowledged; its row becomes a file within 250 ms.
  assert.ok((await post('crash-last.html', '<p>last')).status < 300)
  await server.kill('SIGKILL')
  return { state }
}

function copyOf(dataDir: string, to = newDataDirectory()): string {
  execFileSync('cp', ['-a', dataDir, to])
  return to
}

/** The lock of the server, and the lock file of LMDB with its readers. */
const LOCKS = ['lock', 'records/lock.mdb']

function listingOf(dataDir: string): readonly string[] {
  return readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !LOCKS.includes(name))
    .sort()
    .map((name) => {
      const path = join(dataDir, name)
      const stats = lstatSync(path)
      const what = stats.isFile()
        ? `${stats.size} ${stats.mtimeMs} ${sha256(readFileSync(path))}`
        : stats.mtimeMs
      // The time of LMDB's directory changes with its lock file.
      return name === 'records' ? name : `${name} ${what}`
    })
}

function namesOfFiles(dataDir: string): number {
  return listingOf(dataDir).filter((line) => /^[0-9a-f]{2}\//.test(line)).length
}

async function assertReads({ url, key }: Site): Promise<void> {
  const state = (await readState({ url, key })) as Record<string, readonly { name?: string }[]>
  const names = (list: SiteState) =>
    (list['files'] as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== 'crash-last.html')
  assert.deepEqual(names(state), names(crashed.state))
  for (const member of ['categories', 'datatables', 'entries'])
    assert.deepEqual(state[member], crashed.state[member])
  const last = state['files']?.find(({ name }) => name === 'crash-last.html') as any
  const content = await send(url, 'GET', `${FILE}/${last.asset_file_id}/versions/1/content`, {
    key,
  })
  assert.deepEqual([content.status, content.text], [200, '<p>last'])
  for (const path of ['/health', '/', '/public/api/module/swagger.json'])
    assert.equal((await send(url, 'GET', path, {})).status, 200, path)
  assert.equal((await send(url, 'GET', '/metrics', { key })).status, 200)
  const ready = await send(url, 'GET', '/ready', {})
  assert.deepEqual([ready.status, ready.body.status], [200, 'ready'])
  assert.ok(ready.body.warnings.some(({ code }: { code: string }) => code === 'read-only'))
}

async function assertNoChange(site: Site): Promise<void> {
  for (const { name, run } of OPERATIONS) {
    const { status, body } = await run(site)
    assert.deepEqual([name, status, body?.code], [name, 503, 'read-only'])
    assert.match(body.detail, /without --read-only/)
  }
}

/** Sends the head of a request without its body and resolves with the first line of the answer. */
function answerWithoutBody({ url, key }: Site): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.once('error', reject)
    socket.once('data', (chunk) => {
      socket.destroy()
      resolve(String(chunk).split('\r\n')[0] ?? '')
    })
    socket.write(
      `POST ${FILE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
        'content-type: application/json\r\ncontent-length: 1000\r\n\r\n',
    )
  })
}

async function assertArchive({ url, key }: Site): Promise<void> {
  const answer = await send(url, 'GET', '/api/v2/backup', { key })
  assert.equal(answer.status, 200, answer.text.slice(0, 300))
  const into = newDataDirectory()
  mkdirSync(into)
  execFileSync('tar', ['-x', '-C', into, '--strip-components', '1'], { input: answer.bytes })
  const checked = await runCli(['check', '--data', into])
  assert.equal(checked.code, 0, checked.stderr + checked.stdout)
}

async function assertCommands(dataDir: string, site: Site): Promise<void> {
  for (const list of ['key', 'user']) {
    const { code, stdout, stderr } = await runCli([list, 'list', '--data', dataDir])
    assert.equal(code, 0, stderr)
    assert.match(stdout, /admin/)
  }
  const made = await runCli(['key', 'create', '--data', dataDir, '--name', 'more'])
  assert.equal(made.code, 1)
  assert.match(made.stderr, /open read-only .*without --read-only/)
  const backup = newDataDirectory()
  const taken = await runCli(['backup', backup, '--data', dataDir])
  assert.equal(taken.code, 0, taken.stderr)
  assert.equal((await runCli(['check', '--data', backup])).code, 0)
  await assertArchive(site)
}

async function stop(server: ChildServer): Promise<void> {
  const { code, stderr } = await server.kill('SIGTERM')
  assert.equal(code, 0, stderr)
}

test('a read-only server on a writable directory serves the state after a crash and changes no file', async (t) => {
  const dataDir = copyOf(crashed.dataDir)
  const before = listingOf(dataDir)
  const server = await startChild(dataDir, READ_ONLY)
  t.after(() => server.kill('SIGKILL'))
  const site = { url: server.url, key: crashed.key }
  await assertReads(site)
  await assertNoChange(site)
  assert.match(await answerWithoutBody(site), /^HTTP\/1\.1 503 /)
  await assertCommands(dataDir, site)

  // Neither a second reading server nor a writer can start on the directory.
  for (const args of [['--read-only'], []]) {
    const second = await runCli(['start', '--data', dataDir, '--port', '0', ...args])
    assert.equal(second.code, 75, second.stderr)
  }
  await stop(server)
  assert.deepEqual(listingOf(dataDir), before)

  // A writer then finds the state after the crash and writes all contents to files.
  const writer = await startChild(dataDir, ARGS)
  t.after(() => writer.kill('SIGKILL'))
  assert.ok(await eventually(async () => namesOfFiles(dataDir) > namesOfFiles(crashed.dataDir)))
  const next = await runCli(['start', '--data', dataDir, '--port', '0', '--read-only'])
  assert.equal(next.code, 75, next.stderr)
  assert.match(next.stderr, /owns/)
  await stop(writer)
})

test('a read-only server keeps the mark of a clean stop', async () => {
  const dataDir = copyOf(crashed.dataDir)
  await stop(await startChild(dataDir, ARGS))
  const before = listingOf(dataDir)
  assert.ok(existsSync(join(dataDir, 'clean.json')))
  const server = await startChild(dataDir, ARGS, { env: { CMS_READ_ONLY: '1' } })
  await assertReads({ url: server.url, key: crashed.key })
  await stop(server)
  assert.deepEqual(listingOf(dataDir), before)
})

test('a backup over HTTP needs a writable directory, and says so', async () => {
  const dataDir = copyOf(crashed.dataDir)
  const server = await startChild(dataDir, READ_ONLY, { env: { TMPDIR: '/proc/none' } })
  const { status, body } = await send(server.url, 'GET', '/api/v2/backup', { key: crashed.key })
  await stop(server)
  assert.deepEqual([status, body.code], [503, 'unavailable'])
  assert.match(body.detail, /TMPDIR/)
})

test('a read-only server creates no site and refuses other formats', async () => {
  const empty = newDataDirectory()
  const none = await runCli(['start', '--data', empty, '--port', '0', '--read-only'])
  assert.deepEqual([none.code, existsSync(empty)], [65, false], none.stderr)
  assert.match(none.stderr, /^cms-server: The directory .* does not exist\. .*\n$/)

  // Backups share unchanged files; a server must not use files that others may change.
  const dataDir = copyOf(crashed.dataDir)
  await stop(await startChild(dataDir, ARGS))
  const backups = newDataDirectory()
  mkdirSync(backups)
  for (const previous of [[], ['--previous', join(backups, '1')]]) {
    const target = join(backups, previous.length === 0 ? '1' : '2')
    const made = await runCli(['backup', target, '--data', dataDir, ...previous])
    assert.equal(made.code, 0, made.stderr)
  }
  const shared = await runCli(['start', '--data', join(backups, '2'), '--port', '0', '--read-only'])
  assert.equal(shared.code, 65, shared.stderr)
  assert.match(shared.stderr, /shares its contents with another/)

  const alone = newDataDirectory()
  cpSync(join(backups, '2'), alone, { recursive: true })
  const before = listingOf(alone)
  const server = await startChild(alone, READ_ONLY)
  await assertReads({ url: server.url, key: crashed.key })
  await stop(server)
  assert.deepEqual(listingOf(alone), before)
})

test('a version with missing bytes is reported, and the rest is served', async () => {
  const dataDir = copyOf(crashed.dataDir)
  await stop(await startChild(dataDir, ARGS))
  const path = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).find((name) =>
    /^[0-9a-f]{2}\/2\./.test(name),
  )
  rmSync(join(dataDir, path ?? 'none'))
  rmSync(join(dataDir, 'clean.json'))
  const before = listingOf(dataDir)
  const server = await startChild(dataDir, READ_ONLY)
  const { url } = server
  const versions = await Promise.all(
    ['1', '2'].map((number) =>
      send(url, 'GET', `${FILE}/${MADE.page}/versions/${number}/content`, { key: crashed.key }),
    ),
  )
  const told = versions.map(({ status, body }) => [status, status === 200 ? '' : body.code])
  assert.equal(told.filter(([status]) => status === 200).length, 1)
  assert.ok(
    told.some(([, code]) => code === 'content-damaged'),
    JSON.stringify(told),
  )
  await stop(server)
  assert.deepEqual(listingOf(dataDir), before)
})

test('S18: any number of servers serve the state after a crash from a read-only mount', {
  skip: whyNoMounts() ?? false,
}, async () => {
  const mounts = openMounts()
  const servers: ChildServer[] = []
  try {
    const disk = mounts.ext4({ path: join(mounts.tmpfs(80), 'image'), sizeMb: 64 })
    const dataDir = copyOf(crashed.dataDir, join(disk, 'data'))
    execFileSync('mount', ['-o', 'remount,ro', disk])
    const before = listingOf(dataDir)
    for (let count = 0; count < 2; count += 1) servers.push(await startChild(dataDir, READ_ONLY))
    for (const { url } of servers) {
      const site = { url, key: crashed.key }
      await assertReads(site)
      await assertNoChange(site)
      await assertCommands(dataDir, site)
    }
    for (const server of servers) await stop(server)
    assert.deepEqual(listingOf(dataDir), before)
  } finally {
    // A file system in use cannot be unmounted.
    for (const server of servers) await server.kill('SIGKILL')
    mounts.close()
  }
})

test('S18: a read-only mount of the directory of a writing server is refused', {
  skip: whyNoMounts() ?? false,
}, async (t) => {
  const dataDir = copyOf(crashed.dataDir)
  const writer = await startChild(dataDir, ARGS)
  t.after(() => writer.kill('SIGKILL'))
  const mounts = openMounts()
  const point = mounts.tmpfs(4)
  execFileSync('mount', ['--bind', dataDir, point])
  try {
    execFileSync('mount', ['-o', 'remount,bind,ro', point])
    const second = await runCli(['start', '--data', point, '--port', '0', '--read-only'])
    assert.equal(second.code, 75, second.stderr)
    await makeKey(dataDir)
  } finally {
    execFileSync('umount', [point])
    mounts.close()
  }
  await stop(writer)
})
