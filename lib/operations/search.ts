// Lists and searches of every object: only what the caller may view.

import { holdsEverywhere } from '../auth/grants.ts'
import { holdsAll } from '../auth/reach.ts'
import { openSight } from '../auth/sight.ts'
import { CmsError } from '../errors.ts'
import { type ApiKey, apiKey } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { audit } from '../schema/audit.ts'
import type { ObjectType } from '../schema/object.ts'
import { valueOf } from '../schema/record.ts'
import { type User, user } from '../schema/user.ts'
import type { JsonObject } from '../schema/values.ts'
import type { Page, Query } from '../storage/port.ts'
import { readPage, type TakePage } from './files/asset-files.ts'
import { requireAuditor } from './trail/audit.ts'
import type { Context } from './context.ts'
import { findPage } from './find-page.ts'
import { seesKey } from './people/key-authority.ts'
import { mapInTurns, openTurns } from './in-turns.ts'
import { comparedOf, presenterOf, reckonerOf } from './present.ts'
import { seesUser } from './people/users.ts'
import { addPage } from './read.ts'

export interface SearchInput {
  readonly object: ObjectType
  readonly query: Query
  readonly fields: ReadonlySet<string> | undefined
  readonly takePage?: TakePage
}

export interface SearchResult {
  readonly texts: readonly (string | Uint8Array)[]
  readonly page: Page
}

export async function searchRecords(context: Context, input: SearchInput): Promise<SearchResult> {
  const { object, fields } = input
  if (object.name === audit.name) requireAuditor(context.caller)
  const view = { reader: context.records, caller: context.caller, basePath: context.basePath }
  const { isVisible, query } = narrowed(context, input)
  const page = await findPage(context, object, {
    ...query,
    reckonedBytes: reckonerOf(view, object, fields),
    isVisible,
    compared: comparedOf(view, object, query.match),
  })
  const texts = await mapInTurns(page.records, presenterOf(view, object, fields))

  const wantsPages = object.name === assetFile.name && fields?.has('pageContent') === true
  if (!wantsPages) return { texts, page }

  requireModestPages(context, page)
  const { listPageBytes, pageJsonBytes, pageBytes } = context.limits
  const withPages: (string | Uint8Array)[] = []
  const turns = openTurns()
  let jsonBytes = 0
  for (const [index, stored] of page.records.entries()) {
    const content = await readPage(context, stored, input.takePage)
    jsonBytes += content.length
    if (jsonBytes > listPageBytes + pageJsonBytes - pageBytes) throw tooManyPages(context, 'more')
    withPages.push(addPage(texts[index] ?? '{}', content))
    if (turns.isOver(content.length)) await turns.next()
  }
  return { texts: withPages, page }
}

interface Narrowed {
  readonly isVisible: Visible | undefined
  readonly query: Query
}

/**
 * For who sees less than all, without an order that follows from what is hidden: the folders in which the
 * topmost ones lie.
 */
function narrowed(context: Context, { object, query }: SearchInput): Narrowed {
  const isVisible = visibility(context, object)
  const order = [query, ...(query.thenBy ?? [])].map(({ orderBy }) => orderBy)
  const isByParent = order.includes('parent_category_id') && object.name === assetCategory.name
  if (isVisible === undefined || !isByParent || holdsEverywhere(context.caller, 'view'))
    return { isVisible, query }
  throw new CmsError(
    'bad-qry',
    'Folders can be sorted by parent_category_id only with a key that sees all of them.',
  )
}

/** A list is answered as one text, so its pages must fit into memory together. */
function requireModestPages({ limits }: Pick<Context, 'limits'>, { records }: Page): void {
  const sizes = records.map((stored) => Number(valueOf(stored)['size']))
  const total = sizes
    .filter((size) => size <= limits.pageBytes)
    .reduce((sum, size) => sum + size, 0)
  if (total > limits.listPageBytes) throw tooManyPages({ limits }, `${total} bytes`)
}

/** In JSON, too, where one byte of a text can be six. */
function tooManyPages({ limits }: Pick<Context, 'limits'>, found: string): CmsError {
  return new CmsError(
    'too-large',
    `The pages of this list have ${found} together; a list returns at most ${limits.listPageBytes} bytes of them. Ask for fewer with length, or read the files one by one.`,
  )
}

type Visible = (record: JsonObject) => boolean

/** Undefined when the caller may view every record. */
function visibility(context: Context, object: ObjectType): Visible | undefined {
  const { records, caller, purging } = context
  if (object.name === audit.name) return undefined
  const isOfPeople = object.name === user.name || object.name === apiKey.name
  if (isOfPeople && holdsAll(caller)) return undefined
  if (object.name === user.name)
    return (record) => seesUser(records, caller, record as unknown as User)
  if (object.name === apiKey.name)
    return (record) => seesKey(records, caller, record as unknown as ApiKey)
  if (holdsEverywhere(caller, 'view') && purging.size === 0) return undefined

  const sight = openSight(records, caller)
  const field = object.name === assetCategory.name ? 'asset_category_id' : 'parent_category_id'
  return (record) => sight.grantsAt(Number(record[field])).has('view')
}
