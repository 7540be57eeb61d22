// Only for callers who may read the whole site: a backup contains every version of every file, and every key.

import { requireEverywhere } from '../../auth/grants.ts'
import { GRANTS } from '../../shared/grants.ts'
import type { Archive } from '../../storage/site-archive.ts'
import type { Context } from '../context.ts'

export async function makeBackup({ caller, openArchive }: Context): Promise<Archive> {
  for (const grant of GRANTS) requireEverywhere(caller, grant, 'for a backup')
  return openArchive()
}
