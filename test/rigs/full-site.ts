// A server whose contents and records lie on separate small disks.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from 'lmdb'
import { type ChildServer, makeKey, startChild } from '../helpers/child-server.ts'
import { newDataDirectory } from '../helpers/data-directory.ts'
import { type Answer, buildForm, type Call, send } from '../helpers/server.ts'
import { type DiskSize, fillDisk, mountDisk, unmountDisks } from '../helpers/small-disk.ts'

export interface FullSite {
  readonly dataDir: string
  /** The running server. */
  readonly child: ChildServer
  /** With other flags, if some are given. `whileStopped` runs between the two servers. */
  restart(args?: readonly string[], whileStopped?: () => Promise<void>): Promise<void>
  call(method: string, path: string, call?: Call): Promise<Answer>
  /** A new live file; for a number, with this many bytes. */
  upload(content: number | Buffer, ending?: string): Promise<Answer>
  createFile(pageContent: string): Promise<Answer>
}

let site: FullSite | undefined
let names = 0

export async function closeFullSite(): Promise<void> {
  await site?.child.kill('SIGTERM')
  site = undefined
  unmountDisks()
}

/** Opens a site with contents and records on separate disks. */
export async function openFullSite(
  contents: DiskSize,
  records: DiskSize,
  args: readonly string[],
): Promise<FullSite> {
  const dataDir = newDataDirectory()
  mountDisk(dataDir, contents)
  mountDisk(join(dataDir, 'records'), records)
  let child = await startChild(dataDir, args)
  const key = await makeKey(dataDir)
  const call = (method: string, path: string, options: Call = {}): Promise<Answer> =>
    send(child.url, method, path, { key, ...options })

  site = {
    dataDir,
    get child() {
      return child
    },
    async restart(flags = args, whileStopped = async () => undefined) {
      assert.equal((await child.kill('SIGTERM')).code, 0)
      await whileStopped()
      child = await startChild(dataDir, flags)
    },
    call,
    upload(content, ending = 'bin') {
      names += 1
      const bytes = typeof content === 'number' ? Buffer.alloc(content, names) : content
      const { contentType, body } = buildForm([
        { name: 'asset_category_id', value: '1' },
        { name: 'fileState', value: 'publish' },
        { name: 'Filedata', fileName: `${names}.${ending}`, bytes },
      ])
      return call('POST', '/upload', { body, headers: { 'content-type': contentType } })
    },
    createFile(pageContent) {
      names += 1
      const json = { name: `${names}.html`, type: 'html', parent_category_id: 1, pageContent }
      return call('POST', '/api/v2/asset_file', { json })
    },
  }
  return site
}

/**
 * Leaves no space for any commit of the records: the disk is full, and a reader keeps the pages that LMDB would use again.
 * The returned function frees the space.
 */
export async function fillRecordsDisk({
  dataDir,
}: Pick<FullSite, 'dataDir'>): Promise<() => Promise<void>> {
  const path = join(dataDir, 'records')
  const reader = open({ path, readOnly: true, maxDbs: 32, maxReaders: 512 })
  const snapshot = reader.useReadTransaction()
  reader.get('any', { transaction: snapshot })
  const release = fillDisk(path, 0)
  return async () => {
    snapshot.done()
    await reader.close()
    release()
  }
}

export function requireFull(answer: Answer): void {
  assert.deepEqual([answer.status, answer.body?.code], [507, 'disk-full'], answer.text)
}

/** The guard follows the free space of the disk within a few seconds. */
export async function untilReady(
  { call }: FullSite,
  expected: { readonly status: number; readonly detail?: RegExp },
): Promise<void> {
  const deadline = performance.now() + 20_000
  for (;;) {
    const { status, body } = await call('GET', '/ready', { key: null })
    const isExpected = expected.detail === undefined || expected.detail.test(body.detail)
    if (status === expected.status && isExpected) {
      if (status === 503) assert.equal(body.reason, 'disk-full')
      return
    }
    assert.ok(performance.now() < deadline, `/ready is ${status} ${body.detail}`)
    await sleep(100)
  }
}
