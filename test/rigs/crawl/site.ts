// The server of the crawl rig: a process with a site and its live tree, which the rig fills, kills and starts again.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ChildServer, makeKey, startChild, startCli } from '../../helpers/child-server.ts'
import { freePort, type Nginx, runNginx, treeConfig } from '../../helpers/nginx.ts'
import { type Answer, type Call, send } from '../../helpers/server.ts'
import { eventually } from '../../helpers/tree.ts'

export const HOST = 'www.example.org'
const ROOT = '/Main/website'

export interface StoredFile {
  readonly id: number
  readonly liveVersion: number
}

export interface CrawledSite {
  /** The directory of the site in the live tree. */
  readonly tree: string
  url(): string
  start(): Promise<void>
  kill(signal: NodeJS.Signals): Promise<void>
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** Runs `cms-server import` into the root folder of the site. */
  import(source: string, ...args: readonly string[]): Promise<void>
  /** The files of the site by their paths below the root folder. */
  list(): Promise<ReadonlyMap<string, StoredFile>>
  /** Waits until the live tree has these bytes at each path. */
  untilTree(bytesOf: ReadonlyMap<string, Buffer>): Promise<void>
  /** Starts nginx with the documented configuration of a live tree. */
  startNginx(): Promise<Nginx>
  /** Ends the processes; the data stay. */
  close(): Promise<void>
}

/** Starts a server on empty data, with an empty public folder as its site. */
export async function startSite(directory: string): Promise<CrawledSite> {
  const dataDir = join(directory, 'data')
  const liveTree = join(directory, 'tree')
  const tree = join(liveTree, HOST)
  const args = ['--site-origin', `https://${HOST}=${ROOT}`, '--live-tree', liveTree]
  const quiet = ['--log-level', 'error', '--min-free-mb', '0']
  let server: ChildServer
  let nginx: Nginx | undefined
  const start = async (): Promise<void> => {
    server = await startChild(dataDir, [...args, ...quiet])
  }
  await start()
  const key = await makeKey(dataDir)
  const call: CrawledSite['call'] = (method, path, given = {}) =>
    send(server.url, method, path, { key, ...given })
  const json = { name: 'website', public: true }
  const { body: root } = await call('POST', '/api/v2/asset_category', { json })

  return {
    tree,
    url: () => server.url,
    start,
    call,
    async kill(signal) {
      await server.kill(signal)
    },
    async import(source, ...options) {
      const category = String(root.asset_category_id)
      const target = ['--url', server.url, '--key', key, '--category', category]
      // The import of a large site on a busy machine may take longer than runCli allows.
      const { code, stdout, stderr } = await startCli(['import', ...target, ...options, source])
        .ended
      assert.equal(code, 0, stdout + stderr)
    },
    list: () => listFiles(call),
    async untilTree(bytesOf) {
      for (const [path, bytes] of bytesOf)
        await eventually(() =>
          assert.ok(readFileSync(join(tree, path)).equals(bytes), `${path} in the tree`),
        )
    },
    async startNginx() {
      const port = await freePort()
      nginx = await runNginx(port, treeConfig(port, liveTree))
      return nginx
    },
    async close() {
      await nginx?.close()
      await server.kill('SIGKILL')
    },
  }
}

async function listFiles(call: CrawledSite['call']): Promise<ReadonlyMap<string, StoredFile>> {
  const files = new Map<string, StoredFile>()
  let page = ''
  do {
    const { body, text } = await call('GET', `/api/v2/asset_file?length=1000${page}`)
    assert.ok(Array.isArray(body.asset_file), text)
    for (const { path, asset_file_id: id, live_version: liveVersion } of body.asset_file)
      files.set(path.slice(ROOT.length + 1), { id, liveVersion })
    page = typeof body.page.next !== 'string' ? '' : `&cursor=${body.page.next}`
  } while (page !== '')
  return files
}
