// The scratch directory of a run. Everything is removed at the end of the run and not earlier: some file
// systems (ext4) do not reuse the inodes of removed files for minutes and scan them whenever a file is
// created. Removing the files of one scenario would slow down the next one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const scratch = mkdtempSync(join(tmpdir(), 'cms-bench-'))
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }))

/** Creates an empty directory. */
export function scratchDir(): string {
  return mkdtempSync(join(scratch, 'part-'))
}
