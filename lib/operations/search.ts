// Lists and searches records of every object, restricted to what the caller may view.

import { holdsEverywhere } from '../auth/grants.ts'
import { CmsError } from '../base/errors.ts'
import type { Page, Query } from '../storage/port.ts'
import type { Context } from './context.ts'
import { findPage } from './find-page.ts'
import { mapInTurns } from '../schema/time-slicing.ts'
import { comparedOf, presenterOf, addedBytesOf } from './present.ts'
import { addAttached } from './read.ts'
import { type Showing, type TakePage, viewOf } from './visibility.ts'

export interface SearchInput {
  readonly showing: Showing
  readonly query: Query
  readonly fields: ReadonlySet<string> | undefined
  readonly takePage?: TakePage
}

export interface SearchResult {
  readonly texts: readonly (string | Uint8Array)[]
  readonly page: Page
}

export async function searchRecords(context: Context, input: SearchInput): Promise<SearchResult> {
  const { showing, fields, query } = input
  const view = viewOf(context)
  const isVisible = showing.seen.visibility(context)
  if (isVisible !== undefined) requireSilentOrder(context, input)
  const page = await findPage(context, showing.object, {
    ...query,
    reckonedBytes: addedBytesOf(view, showing, fields),
    isVisible,
    ...comparedOf(view, showing, query),
  })
  const texts = await mapInTurns(page.records, presenterOf(view, showing, fields))

  const { attached } = showing
  if (attached === undefined || fields?.has(attached.field) !== true) return { texts, page }

  const whole: (string | Uint8Array)[] = []
  for await (const value of attached.readAll(context, page.records, input.takePage))
    whole.push(addAttached(texts[whole.length] ?? '{}', attached.field, value))
  return { texts: whole, page }
}

/** Refuses orders that would reveal hidden values, unless the caller sees everything. */
function requireSilentOrder({ caller }: Context, { showing, query }: SearchInput): void {
  const order = [query, ...(query.thenBy ?? [])].map(({ orderBy }) => orderBy)
  const telling = order.find(
    (field) => typeof field === 'string' && showing.tellingOrders?.has(field),
  )
  if (telling === undefined || holdsEverywhere(caller, 'view')) return
  throw new CmsError(
    'bad-qry',
    `Sorting ${showing.object.name} by ${telling} requires a key that sees all records.`,
  )
}
