// The files in a directory of --live-tree, and checks that wait for them.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The files below a directory by their paths. */
export function treeIn(directory: string): Readonly<Record<string, string>> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name))
  return Object.fromEntries(
    files.toSorted().map((path) => [path.slice(directory.length + 1), readFileSync(path, 'utf8')]),
  )
}

const MAX_MS = 20_000

/** Repeats the check until it passes; its last error is thrown if it never does. */
export async function eventually(check: () => unknown): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += 20) {
    try {
      await check()
      return
    } catch (error) {
      if (waitedMs >= MAX_MS) throw error
    }
    await sleep(20)
  }
}

export function untilTree(
  directory: string,
  expected: Readonly<Record<string, string>>,
): Promise<void> {
  // A file may go away while the directory is read; the next attempt reads it again.
  return eventually(() => assert.deepEqual(publishedIn(directory, expected), expected))
}

/** Without the files that the server makes, unless they are expected. */
function publishedIn(directory: string, expected: object): Readonly<Record<string, string>> {
  const files = Object.entries(treeIn(directory))
  const isMade = (path: string): boolean => path === 'robots.txt' || path === 'sitemap.xml'
  return Object.fromEntries(files.filter(([path]) => path in expected || !isMade(path)))
}
