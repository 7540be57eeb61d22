// The mark of a clean stop: size and time of the records file.

import { existsSync, statSync } from 'node:fs'
import { findFileFault } from '../../workers/file-faults.ts'
import { hasDirectories, type DataPaths, readSmallFile, writeSmallFile } from './data-paths.ts'

export interface CleanMark {
  readonly size: number
  readonly mtimeMs: number
}

/** Returns false if the disk has no space for the mark: the next start then verifies everything. */
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

/** True if the last owner closed the records, the file is unchanged since, and no directory is missing. */
export async function wasClosedCleanly(dataPaths: DataPaths): Promise<boolean> {
  const mark = await readSmallFile(dataPaths.clean)
  if (mark === undefined || !existsSync(dataPaths.dataFile) || !hasDirectories(dataPaths))
    return false
  const now = cleanMark(dataPaths)
  return mark['size'] === now.size && mark['mtimeMs'] === now.mtimeMs
}
