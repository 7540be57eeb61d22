// A data directory that belongs to another user, and the permissions of the files that the server
// makes.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataPathsOf } from '../../../lib/storage/embedded/data-paths.ts'
import { BIN, makeKey, startChild } from '../../helpers/child-server.ts'
import {
  fingerprint,
  newDataDirectory,
  removeDataDirectories,
  untilContents,
} from '../../helpers/data-directory.ts'
import { send } from '../../helpers/server.ts'
import { makeSite, type Site } from '../../helpers/site.ts'

/** Root may read everything, so the user "nobody" starts the server if root runs the tests. */
const uid = process.getuid?.() === 0 ? 65_534 : process.getuid?.()
let site: Site

before(async () => {
  site = await makeSite()
  // With coverage every process writes a file, also the process of "nobody".
  const counts = process.env['NODE_V8_COVERAGE']
  if (counts !== undefined) chmodSync(counts, 0o777)
})
after(removeDataDirectories)

describe('S19: a start exits with 65 and advice and changes nothing if', () => {
  const cases: Readonly<Record<string, (dataDir: string) => string>> = {
    'the user cannot read the directory': (dataDir) => {
      chmodSync(dataDir, 0o000)
      return dataDir
    },
    'the directory cannot be created': (dataDir) => {
      chmodSync(dataDir, 0o555)
      return join(dataDir, 'data')
    },
    'the user cannot read the records': (dataDir) => {
      chmodSync(dataPathsOf(dataDir).records, 0o000)
      if (process.getuid?.() === 0) for (const path of topOf(dataDir)) chownSync(path, uid ?? 0, 0)
      return dataDir
    },
  }
  for (const [what, close] of Object.entries(cases)) {
    test(what, async () => {
      const { dataDir } = what.includes('made') ? { dataDir: newDataDirectory() } : site
      mkdirSync(dataDir, { recursive: true })
      for (const path of [dirname(dataDir), dataDir]) chmodSync(path, 0o755)
      const before = fingerprint(dataDir)
      const target = close(dataDir)

      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [BIN, 'start', '--data', target, '--port', '0', '--log-level', 'silent'],
        { ...(uid !== undefined && { uid }), encoding: 'utf8', timeout: 60_000 },
      )
      chmodSync(dataDir, 0o755)
      assert.deepEqual([status, stdout], [65, ''], stderr)
      assert.match(
        stderr,
        /^cms-server: The user \d+ .*has no access to \/\S+ or .* belongs to \d+.*: chown -R .*\n$/,
      )
      if (what.includes('records')) chmodSync(dataPathsOf(dataDir).records, 0o700)
      assert.deepEqual(fingerprint(dataDir), before)
    })
  }
})

/** The directory and its entries, except for the records. */
function topOf(dataDir: string): readonly string[] {
  const names = readdirSync(dataDir).filter((name) => name !== 'records')
  return [dataDir, ...names.map((name) => join(dataDir, name))]
}

test('S19: all files of the server are readable only by its user, whatever the umask is', async (t) => {
  const dataDir = newDataDirectory()
  const umask = process.umask(0)
  const child = await startChild(dataDir).finally(() => process.umask(umask))
  t.after(() => child.kill('SIGKILL'))
  const key = await makeKey(dataDir)
  const json = { name: 'a.txt', type: 'txt', parent_category_id: 1, pageContent: 'a' }
  assert.equal((await send(child.url, 'POST', '/api/v2/asset_file', { key, json })).status, 201)
  await untilContents(dataDir, 1)

  const paths = ['.', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
  const open = paths.filter((path) => (lstatSync(join(dataDir, path)).mode & 0o077) !== 0)
  assert.deepEqual(open, [])
})
