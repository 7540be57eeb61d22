// What a clean stop leaves: how the records were then.

import { existsSync, statSync } from 'node:fs'
import { hasDirectories, type DataPaths, readSmallFile } from './data-paths.ts'

export interface CleanMark {
  readonly size: number
  readonly mtimeMs: number
}

export function cleanMark(dataPaths: DataPaths): CleanMark {
  const { size, mtimeMs } = statSync(dataPaths.dataFile)
  return { size, mtimeMs }
}

/** True when the last owner closed the records, and nobody touched them or took a directory away since. */
export async function wasClosedCleanly(dataPaths: DataPaths): Promise<boolean> {
  const mark = await readSmallFile(dataPaths.clean)
  if (mark === undefined || !existsSync(dataPaths.dataFile) || !hasDirectories(dataPaths))
    return false
  const now = cleanMark(dataPaths)
  return mark['size'] === now.size && mark['mtimeMs'] === now.mtimeMs
}
