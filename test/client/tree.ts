// Directory trees as a record of paths, which tests write and read.

import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { TestContext } from 'node:test'

/** Maps each path to the bytes of the file; the path of a folder ends with "/". */
export type Tree = Readonly<Record<string, Buffer | string>>

export async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'cms-tree-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

export async function writeTree(t: TestContext, tree: Tree): Promise<string> {
  const directory = await temporaryDirectory(t)
  for (const [path, content] of Object.entries(tree)) {
    const place = join(directory, path)
    await mkdir(path.endsWith('/') ? place : dirname(place), { recursive: true })
    if (!path.endsWith('/')) await writeFile(place, content)
  }
  return directory
}

/** All folders and files except the side file of an export; each byte becomes one character. */
export async function readTree(directory: string): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const found = await Promise.all(
    entries.map(async (entry) => {
      const place = join(entry.parentPath, entry.name)
      const path = relative(directory, place)
      if (entry.isDirectory()) return [`${path}/`, ''] as const
      return [path, (await readFile(place)).toString('latin1')] as const
    }),
  )
  const own = found.filter(([path]) => !/(^|\/)\.cms\//.test(path))
  return Object.fromEntries(own.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
