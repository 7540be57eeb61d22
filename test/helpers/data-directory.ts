// Creates data directories and inspects them from outside the server.

import { createHash } from 'node:crypto'
import { type Dirent, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const made = new Set<string>()

/** Path of a data directory that does not exist yet, inside a new directory. */
export function newDataDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'cms-test-'))
  made.add(directory)
  return join(directory, 'data')
}

/** Removes all directories; call it when no server runs any more. */
export function removeDataDirectories(): void {
  for (const directory of made) rmSync(directory, { recursive: true, force: true })
  made.clear()
}

/** The owner's socket and LMDB's lock file, which contain no data. */
const LOCKS = new Set(['lock', 'lock.mdb'])

/** All entries below a directory except locks; does not follow links. */
function* entriesIn(directory: string): Generator<Dirent> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (LOCKS.has(entry.name)) continue
    yield entry
    if (entry.isDirectory()) yield* entriesIn(join(directory, entry.name))
  }
}

/** Paths of all regular files except locks. */
export function filesIn(dataDir: string): readonly string[] {
  return [...entriesIn(dataDir)]
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** Type and hash of everything below a directory, by name. */
export function fingerprint(dataDir: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(entriesIn(dataDir), (entry) => {
      const path = join(entry.parentPath, entry.name)
      return [
        relative(dataDir, path),
        entry.isFile() ? sha256(readFileSync(path)) : `mode ${lstatSync(path).mode.toString(8)}`,
      ]
    }),
  )
}

/** The files whose bytes contain the text. */
export function filesHolding(dataDir: string, text: string): readonly string[] {
  return filesIn(dataDir).filter((path) => readFileSync(path).includes(text))
}

/** Paths of the contents of versions. */
export function contentsIn(dataDir: string): readonly string[] {
  return filesIn(dataDir).filter((path) => /\/[0-9a-f]{2}\/[1-9]\d*\.[0-9a-f]{32}$/.test(path))
}

/**
 * Waits until this number of contents are files; small contents become files after their commit.
 */
export async function untilContents(dataDir: string, count: number): Promise<void> {
  for (let waitedMs = 0; contentsIn(dataDir).length !== count; waitedMs += 50) {
    if (waitedMs > 20_000) throw new Error(`${contentsIn(dataDir).length} contents, not ${count}`)
    await sleep(50)
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
