// Finds users by name, ignoring case.

import { foldName } from '../../schema/names.ts'
import { user } from '../../schema/user.ts'
import type { Reader } from '../../storage/port.ts'

export function findUserId(reader: Reader, name: string): number | undefined {
  const [ids] = reader.lookup(user.recordType, 'by_name', [foldName(name)], 1)
  return ids === undefined ? undefined : Number(ids[0])
}
