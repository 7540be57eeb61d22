// Contents as files under the data directory. New bytes are written under a temporary name, synced, and only then renamed
// (workers/files.ts); a final name is random and never reused. Small contents are stored inline in the commit and become
// files later (inline-contents.ts, content-flush.ts).

import { relative } from 'node:path'
import type { Pool } from '../../workers/pool.ts'
import { findInline } from '../records/inline-contents.ts'
import type { KvReader } from '../records/kv.ts'
import type { ContentName, Contents } from '../port.ts'
import type { ContentDisk } from './content-disk.ts'
import { openContentReads } from './content-reads.ts'
import { openContentWrites } from './content-writes.ts'
import type { Holds } from './backup-holds.ts'
import type { WriteOut, WriteOutOptions } from './content-flush.ts'
import { contentPath, type DataPaths } from './data-paths.ts'
import type { ContentLimits } from '../engine.ts'

export interface ContentsOptions {
  readonly dataPaths: DataPaths
  readonly disk: ContentDisk
  readonly limits: ContentLimits
  readonly kv: KvReader
  readonly writeOut: WriteOut
  readonly holds: Holds
}

export function openContents(options: ContentsOptions): Contents {
  const { dataPaths, disk, limits, kv, writeOut } = options
  const { pool } = disk
  const pathOf = (name: ContentName) => contentPath(dataPaths, name)
  const reads = openContentReads({ kv, pool, limits, pathOf })
  const writes = openContentWrites({ tmp: dataPaths.tmp, disk, limits, writeOut, reads, pathOf })

  return {
    requireWritable: disk.requireWritable,

    write: writes.write,
    receive: writes.receive,

    placeOf: (name) =>
      findInline(kv, name) === undefined ? relative(dataPaths.dataDir, pathOf(name)) : undefined,

    read: reads.read,
    lend: reads.lend,
    open: reads.open,
    encode: reads.encode,
    verify: reads.verify,
    diff: reads.diff,
    held: options.holds.held,

    async remove(names) {
      if (names.length === 0) return
      await writeOut.forget(names)
      for (const { uid } of names) reads.forget(uid)
      await pool.run('removeFiles', { paths: names.map(pathOf) })
    },
  }
}

/** Builds the function that flushes inline contents to files. */
export function buildWriteFiles(
  dataPaths: DataPaths,
  pool: Pick<Pool, 'run'>,
): WriteOutOptions['write'] {
  return (contents) =>
    pool.run('writeOut', {
      files: contents.map(({ name, bytes }) => ({ path: contentPath(dataPaths, name), bytes })),
    })
}
