// What a clean stop leaves: how the records were then.

import { existsSync, statSync } from 'node:fs'
import { hasDirectories, type Layout, readSmallFile } from './layout.ts'

export interface CleanMark {
  readonly size: number
  readonly mtimeMs: number
}

export function cleanMark(layout: Layout): CleanMark {
  const { size, mtimeMs } = statSync(layout.dataFile)
  return { size, mtimeMs }
}

/** True when the last owner closed the records, and nobody touched them or took a directory away since. */
export async function wasClosedCleanly(layout: Layout): Promise<boolean> {
  const mark = await readSmallFile(layout.clean)
  if (mark === undefined || !existsSync(layout.dataFile) || !hasDirectories(layout)) return false
  const now = cleanMark(layout)
  return mark['size'] === now.size && mark['mtimeMs'] === now.mtimeMs
}
