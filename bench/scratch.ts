// Where a run writes. All of it is removed at the end of the run and nothing before: some file systems (ext4)
// keep the inodes of removed files from being used again for minutes, and look at each of them whenever a file
// is created. What one scenario removes would slow down the next one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const scratch = mkdtempSync(join(tmpdir(), 'cms-bench-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** A fresh directory. */
export function scratchDir(): string {
  return mkdtempSync(join(scratch, 'part-'))
}
