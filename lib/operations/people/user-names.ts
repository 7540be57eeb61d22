// The names of users, ignoring case. The former names of a user belong to the user, because records keep the names of their
// creators.

import { foldName } from '../../schema/names.ts'
import { type User, user } from '../../schema/user.ts'
import type { Reader } from '../../storage/port.ts'

export function findUserId(reader: Reader, name: string): number | undefined {
  return lookUp(reader, 'by_name', name)
}

/** The user who has or had the name. */
export function findNamed(reader: Reader, name: string): number | undefined {
  return findUserId(reader, name) ?? lookUp(reader, 'former_name', name)
}

function lookUp(reader: Reader, index: string, name: string): number | undefined {
  const [ids] = reader.lookup(user.recordType, index, [foldName(name)], 1)
  return ids === undefined ? undefined : Number(ids[0])
}

/** The members of a user with another name. Beyond `most`, the oldest former name is free again. */
export function renamed(
  record: User,
  name: string,
  most: number,
): Pick<User, 'name' | 'former_names'> {
  // Older records lack the member.
  const names = [record.name, ...(record.former_names ?? [])].filter(
    (former) => foldName(former) !== foldName(name),
  )
  return { name, former_names: names.length === 0 ? null : names.slice(0, most) }
}
