// Memory that the server still holds after a large import, without file mappings.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ChildServer, makeKey, runCli, startChild } from '../helpers/child-server.ts'
import { newDataDirectory, removeDataDirectories } from '../helpers/data-directory.ts'

const MIB = 1024 * 1024
const FILES = 2_500
/** Fits a container of 256 MiB that leaves a third for cached file pages. */
const MAX_BYTES = 160 * MIB

let server: ChildServer
let key: string
let tree: string
before(async () => {
  const dataDir = newDataDirectory()
  server = await startChild(dataDir, ['--log-level', 'warn', '--min-free-mb', '0'])
  key = await makeKey(dataDir)
  tree = mkdtempSync(join(tmpdir(), 'cms-tree-'))
})
after(async () => {
  await server.kill('SIGTERM')
  rmSync(tree, { recursive: true })
  removeDataDirectories()
})

/**
 * Writes pages and images of typical sizes: most are small, and some exceed the size that the
 * server collects in memory.
 */
function writeTree(): void {
  for (let at = 0; at < FILES; at += 1) {
    const directory = join(tree, `d${at % 25}`)
    mkdirSync(directory, { recursive: true })
    const isLarge = at % 100 === 50
    const size = isLarge ? 700_000 : 2_000 + ((at * 7_919) % 60_000)
    const isPage = at % 10 < 6
    writeFileSync(join(directory, `${at}.${isPage ? 'html' : 'png'}`), Buffer.alloc(size, `${at} `))
  }
}

/** RssAnon of proc(5). */
function anonymousBytes(pid: number): number {
  const [, kib] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}

test('after an import of many files the memory fits a small container', async () => {
  writeTree()
  const args = ['import', tree, '--url', server.url, '--key', key, '--category', '1', '--publish']
  const { code, stdout, stderr } = await runCli(args)
  assert.equal(code, 0, `${stdout}${stderr}`)
  const bytes = anonymousBytes(server.pid)
  assert.ok(bytes > 0 && bytes < MAX_BYTES, `${(bytes / MIB).toFixed(0)} MiB`)
})
