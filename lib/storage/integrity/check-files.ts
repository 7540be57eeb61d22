// Checks contents that are files of a data directory.

import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Pool } from '../../workers/pool.ts'
import { contentPath, type DataPaths, parseContentName } from '../embedded/data-paths.ts'
import type { KvReader } from '../records/kv.ts'
import type { CheckPlace } from './check-contents.ts'
import { quarantine } from './recovery.ts'
import { findOrphans } from './verify-contents.ts'

export interface CheckedFiles {
  readonly dataPaths: DataPaths
  readonly kv: KvReader
  readonly pool: Pool
}

/** Paths are relative to the directory. */
export function checkedFiles({ dataPaths, kv, pool }: CheckedFiles): CheckPlace {
  const { dataDir, clean, manifest } = dataPaths
  return {
    async sum(names) {
      const paths = names.map((name) => contentPath(dataPaths, name))
      return pool.run('hashFiles', { paths, isInBackup: existsSync(manifest) })
    },
    findOrphans: async () =>
      findOrphans(dataPaths, kv).map((path) => path.slice(dataDir.length + 1)),
    isOfCutSave: (path) => !existsSync(clean) && parseContentName(basename(path)) !== undefined,
    cutSaves: 'the next start moves them to quarantine',
    setApart: (paths) =>
      quarantine(
        dataPaths,
        paths.map((path) => join(dataDir, path)),
      ),
  }
}
