import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { LIMITS } from '../../../lib/config.ts'
import { openContents } from '../../../lib/storage/embedded/contents.ts'
import {
  contentPath,
  layoutOf,
  makeDirectories,
  newUid,
} from '../../../lib/storage/embedded/layout.ts'
import { openPool } from '../../../lib/workers/pool.ts'
import { filesIn, sha256 } from '../../helpers/data-directory.ts'
import { temporaryDirectory } from '../../helpers/server.ts'
import { contentsContract, type OpenContents } from '../contents-contract.ts'

const pool = openPool(2)
after(() => pool.close())

async function open(): Promise<OpenContents> {
  const dataDir = temporaryDirectory()
  const layout = layoutOf(dataDir)
  makeDirectories(layout)
  return {
    contents: openContents(layout, pool, LIMITS),
    count: () => filesIn(dataDir).length,
    close: async () => rmSync(dataDir, { recursive: true, force: true }),
  }
}

contentsContract('the embedded engine', open)

describe('what somebody planted under the name of content', { timeout: 20_000 }, () => {
  const dataDir = temporaryDirectory()
  const layout = layoutOf(dataDir)
  makeDirectories(layout)
  const contents = openContents(layout, pool, LIMITS)
  const outside = join(dataDir, 'outside')
  writeFileSync(outside, 'secret')
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  const kinds: readonly (readonly [string, (path: string) => void])[] = [
    ['a symbolic link', (path) => symlinkSync(outside, path)],
    ['a second name of another file', (path) => linkSync(outside, path)],
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a directory', (path) => mkdirSync(path)],
  ]
  for (const [what, plant] of kinds) {
    test(`${what} is treated as missing`, async () => {
      const name = { fileId: 1, uid: newUid() }
      const path = contentPath(layout, name)
      plant(path)

      assert.equal(await contents.read(name), undefined)
      assert.equal(await contents.open(name), undefined)
      for (const sizeBytes of [6, LIMITS.inlineJsonBytes + 1]) {
        assert.equal(
          await contents.encode(name, { sizeBytes, sha256: sha256(Buffer.from('secret')) }),
          undefined,
        )
      }
      assert.equal(await pool.run('hashFile', { path }), null)
      await assert.rejects(contents.diff({ ...name, label: 'a' }, { ...name, label: 'b' }), {
        code: 'content-damaged',
      })
    })
  }

  test('bytes and directories are readable by their owner alone', async () => {
    const { uid } = await contents.write({ text: 'a' }, { fileId: 1, type: 'txt' })
    const path = contentPath(layout, { fileId: 1, uid })
    const modes = execFileSync('stat', ['-c', '%a', path, dirname(path), layout.tmp])
      .toString()
      .trim()
      .split('\n')
    assert.deepEqual(modes, ['600', '700', '700'])
  })
})
