// The live tree of a server that is killed, and on a disk that fills up.

import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { type Answer, type Call, send, temporaryDirectory } from '../helpers/server.ts'
import { fillDisk, mountDisk, unmountDisks, whyNoDisks } from '../helpers/small-disk.ts'
import { eventually, treeIn, untilTree } from '../helpers/tree.ts'

const SITE = ['--site-origin', 'https://www.example.org=/Main']
const root = temporaryDirectory()
let child: ChildServer | undefined
afterEach(async () => {
  await child?.kill('SIGKILL')
  unmountDisks()
})
after(() => {
  removeDataDirectories()
  rmSync(root, { recursive: true })
})

interface Site {
  readonly server: ChildServer
  call(method: string, path: string, options?: Call): Promise<Answer>
  /** Returns the identifiers of the files. */
  publish(names: readonly string[], text: string): Promise<readonly number[]>
}

async function start(dataDir: string, liveTree: string): Promise<Site> {
  const server = await startChild(dataDir, ['--live-tree', liveTree, ...SITE, '--min-free-mb', '0'])
  child = server
  const key = await makeKey(dataDir)
  const call = (method: string, path: string, options: Call = {}): Promise<Answer> =>
    send(server.url, method, path, { key, ...options })
  return {
    server,
    call,
    async publish(names, text) {
      const json = names.map((name) => ({
        name,
        type: 'html',
        parent_category_id: 1,
        pageContent: text,
        fileState: 'publish',
      }))
      const { status, text: told, body } = await call('POST', '/api/v2/asset_file/bulk', { json })
      assert.equal(status, 201, told)
      return body.asset_file.map(({ asset_file_id: id }: any) => id)
    },
  }
}

const COUNT = 1_000
const nameOf = (at: number): string => `page-${at}.html`
const OLD = 'old '.repeat(500)
const NEW = 'new'.repeat(700)

function expectOldOrNew(tree: string, isComplete: boolean): number {
  const { 'robots.txt': _, 'sitemap.xml': __, ...files } = treeIn(tree)
  if (isComplete) assert.equal(Object.keys(files).length, COUNT)
  for (const [name, text] of Object.entries(files)) assert.ok(text === OLD || text === NEW, name)
  return Object.values(files).filter((text) => text === NEW).length
}

test('a server that is killed while it publishes 1,000 files leaves each file old or new', async () => {
  const dataDir = newDataDirectory()
  const liveTree = join(root, 'killed')
  const tree = join(liveTree, 'www.example.org')
  const all = Array.from({ length: COUNT }, (_, at) => nameOf(at))
  let site = await start(dataDir, liveTree)
  await site.call('POST', '/api/v2/asset_category/1', { json: { public: true } })
  const ids: number[] = []
  for (let at = 0; at < COUNT; at += 50)
    ids.push(...(await site.publish(all.slice(at, at + 50), OLD)))
  // Killed while the tree is filled: each file is missing or complete.
  await site.server.kill('SIGKILL')
  expectOldOrNew(tree, false)
  site = await start(dataDir, liveTree)
  await untilTree(tree, Object.fromEntries(all.map((name) => [name, OLD])))

  const change = { pageContent: NEW, fileState: 'publish' }
  let answered = 0
  let next = 0
  const publishing = Array.from({ length: 10 }, async () => {
    for (;;) {
      next += 1
      await site.call('POST', `/api/v2/asset_file/${ids[next - 1]}`, { json: change })
      answered += 1
      if (answered === COUNT / 2) await site.server.kill('SIGKILL')
    }
  })
  await Promise.allSettled(publishing)
  expectOldOrNew(tree, true)

  site = await start(dataDir, liveTree)
  await eventually(async () => {
    const qry = encodeURIComponent(JSON.stringify({ live_version: 2 }))
    const { body } = await site.call('GET', `/api/v2/asset_file?length=1&count=exact&qry=${qry}`)
    assert.ok(body.page.total >= COUNT / 2, JSON.stringify(body))
    assert.equal(expectOldOrNew(tree, true), body.page.total)
  })
})

test('a full disk stops the tree but no publish, and the tree catches up', {
  skip: whyNoDisks(),
}, async () => {
  const liveTree = join(root, 'full')
  const tree = join(liveTree, 'www.example.org')
  mountDisk(liveTree, { mb: 8 })
  const site = await start(newDataDirectory(), liveTree)
  await site.call('POST', '/api/v2/asset_category/1', { json: { public: true } })
  const names = Array.from({ length: 10 }, (_, at) => nameOf(at))
  const [first, second] = await site.publish(names.slice(0, 2), OLD)
  await untilTree(tree, { [nameOf(0)]: OLD, [nameOf(1)]: OLD })
  const free = fillDisk(liveTree, 0)
  await site.publish(names.slice(2), OLD)
  await site.call('POST', `/api/v2/asset_file/${first}`, {
    json: { pageContent: NEW, fileState: 'publish' },
  })
  await eventually(async () => {
    const { status, body } = await site.call('GET', '/ready')
    assert.equal(status, 200)
    assert.deepEqual(
      body.warnings?.map(({ code }: any) => code),
      ['live-tree-behind'],
    )
    assert.match(body.warnings[0].detail, /disk of --live-tree is full/)
  })
  assert.equal(treeIn(tree)[nameOf(0)], OLD, 'the old file stays')
  // A file that is not live any more is removed although the disk is full.
  await site.call('POST', `/api/v2/asset_file/${second}/unpublish`)
  await eventually(() => assert.equal(treeIn(tree)[nameOf(1)], undefined))
  free()
  const expected = names.filter((_, at) => at !== 1).map((name) => [name, OLD] as const)
  await untilTree(tree, { ...Object.fromEntries(expected), [nameOf(0)]: NEW })
  await eventually(async () =>
    assert.equal((await site.call('GET', '/ready')).body.warnings, undefined),
  )
})
