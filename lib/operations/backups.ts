// The whole site for who may read all of it anyway.

import { globalGrants, missingGrant } from '../auth/grants.ts'
import type { Archive } from '../storage/port.ts'
import type { Context } from './context.ts'

export async function makeBackup({ caller, openArchive }: Context): Promise<Archive> {
  if (!globalGrants(caller).has('admin')) throw missingGrant('admin', 'for the whole site')
  return openArchive()
}
