// What a clean stop leaves: how the records were then.

import { existsSync, statSync } from 'node:fs'
import { findFileFault } from '../../workers/file-faults.ts'
import { hasDirectories, type DataPaths, readSmallFile, writeSmallFile } from './data-paths.ts'

export interface CleanMark {
  readonly size: number
  readonly mtimeMs: number
}

/** False where the disk has no room for it: the next start looks at everything then. */
export function markClean(dataPaths: DataPaths): boolean {
  try {
    writeSmallFile(dataPaths, dataPaths.clean, cleanMark(dataPaths))
    return true
  } catch (error) {
    if (findFileFault((error as NodeJS.ErrnoException).code)?.code !== 'disk-full') throw error
    return false
  }
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
