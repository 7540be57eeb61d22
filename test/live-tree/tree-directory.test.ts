// Directories that --live-tree refuses, and what it creates in the others.

import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'
import { temporaryDirectory } from '../helpers/server.ts'
import { treeIn } from '../helpers/tree.ts'

const SITE = ['--site-origin', 'https://www.example.org=/Main/website']
const root = temporaryDirectory()
after(() => {
  removeDataDirectories()
  rmSync(root, { recursive: true })
})

function directory(name: string, ...files: readonly string[]): string {
  const path = join(root, name)
  mkdirSync(path, { recursive: true })
  for (const file of files) writeFileSync(join(path, file), 'text')
  return path
}

describe('--live-tree refuses', () => {
  const dataDir = join(root, 'data/site')
  const cases: readonly (readonly [string, () => readonly string[], RegExp])[] = [
    [
      'a directory with foreign files',
      () => [directory('foreign', 'index.html'), ...SITE],
      /holds "index\.html", which cms-server did not create\. Choose an empty directory/,
    ],
    [
      'a directory of the host that cms-server did not create',
      () => [directory('host', 'www.example.org'), ...SITE],
      /holds "www\.example\.org", which cms-server did not create/,
    ],
    ['a file', () => [join(directory('file', 'f'), 'f'), ...SITE], /is a file\. Give a directory/],
    [
      'a directory inside the data directory',
      () => [join(dataDir, 'tree/deep'), ...SITE],
      /is inside or above the data directory\. Choose a directory outside/,
    ],
    ['the data directory', () => [dataDir, ...SITE], /inside or above the data directory/],
    [
      'a directory above',
      () => [join(root, 'data'), ...SITE],
      /inside or above the data directory/,
    ],
    [
      'a link into the data directory',
      () => {
        mkdirSync(dataDir, { recursive: true })
        symlinkSync(dataDir, join(root, 'link'))
        return [join(root, 'link', 'tree'), ...SITE]
      },
      /inside or above the data directory/,
    ],
    ['a start without a site', () => [join(root, 'none')], /needs --site-origin/],
    ['an empty value', () => ['', ...SITE], /Give the path of a directory/],
  ]
  for (const [name, args, message] of cases)
    test(name, async () => {
      const before = JSON.stringify(readdirSync(root))
      const [tree = '', ...rest] = args()
      const { code, stderr } = await runCli([
        'start',
        '--data',
        dataDir,
        '--live-tree',
        tree,
        ...rest,
      ])
      assert.equal(code, 2, stderr)
      assert.match(stderr, message)
      assert.doesNotMatch(before, /"none"/)
    })
})

test('a live tree accepts only the records and hosts that it was created for', async () => {
  const tree = join(root, 'new/tree')
  const dataDir = newDataDirectory()
  const args = ['--live-tree', tree, ...SITE]
  await (await startChild(dataDir, args)).kill('SIGTERM')
  assert.deepEqual(readdirSync(tree).toSorted(), ['.cms', 'www.example.org'])
  assert.ok('site.json' in treeIn(join(tree, '.cms')))
  await (await startChild(dataDir, args)).kill('SIGTERM')

  const other = await runCli(['start', '--data', newDataDirectory(), '--port', '0', ...args])
  assert.match(other.stderr, /belongs to other data\. Give each server its own directory/)
  assert.notEqual(other.code, 0)
  const moved = ['--live-tree', tree, '--site-origin', 'https://new.example.org']
  const renamed = await runCli(['start', '--data', dataDir, ...moved])
  assert.match(renamed.stderr, /"www\.example\.org", which is no host of --site-origin\. Remove it/)
  assert.equal(renamed.code, 2)
})
