// One page of a search, in the form that clients get.

import type { ObjectType } from '../schema/object.ts'
import type { Page, Query } from '../storage/port.ts'
import type { Context } from './context.ts'

/** Replaces the cursors by texts that only the site can read. */
export async function findPage(
  { records, cursors }: Context,
  { recordType, searchable }: ObjectType,
  query: Query,
): Promise<Page> {
  const cursor = query.cursor === undefined ? undefined : cursors.decrypt(query.cursor)
  const page = await records.search(recordType, searchable, { ...query, cursor })
  return { ...page, next: page.next === undefined ? undefined : cursors.encrypt(page.next) }
}
