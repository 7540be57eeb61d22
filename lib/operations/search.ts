// Lists and searches of every object: only what the caller may view.

import { globalGrants, grantsAt, holdsEverywhere } from '../auth/grants.ts'
import { CmsError } from '../errors.ts'
import { apiKey } from '../schema/api-key.ts'
import { assetCategory } from '../schema/asset-category.ts'
import { assetFile } from '../schema/asset-file.ts'
import { audit } from '../schema/audit.ts'
import type { ObjectType } from '../schema/object.ts'
import { valueOf } from '../schema/record.ts'
import { user } from '../schema/user.ts'
import type { JsonObject, Page, Query } from '../storage/port.ts'
import { readPage } from './asset-files.ts'
import { requireAuditor } from './audit.ts'
import type { Context } from './context.ts'
import { presenterOf } from './present.ts'
import { addPage } from './read.ts'

export interface SearchInput {
  readonly object: ObjectType
  readonly query: Query
  readonly fields: ReadonlySet<string> | undefined
}

export interface SearchResult {
  readonly texts: readonly (string | Uint8Array)[]
  readonly page: Page
}

export async function searchRecords(context: Context, input: SearchInput): Promise<SearchResult> {
  const { object, query, fields } = input
  if (object.name === audit.name) requireAuditor(context.caller)
  const isVisible = visibility(context, object)
  const page = await context.records.search(object.recordType, object.searchable, {
    ...query,
    isVisible,
  })
  const present = presenterOf(context.records, object, fields)
  const texts = page.records.map(present)

  const wantsPages = object.name === assetFile.name && fields?.has('pageContent') === true
  if (!wantsPages) return { texts, page }

  requireModestPages(context, page)
  const withPages: (string | Uint8Array)[] = []
  for (const [index, stored] of page.records.entries()) {
    const content = await readPage(context, stored)
    withPages.push(addPage(texts[index] ?? '{}', content))
  }
  return { texts: withPages, page }
}

/** A list is answered as one text, so its pages must fit into memory together. */
function requireModestPages({ limits }: Context, { records }: Page): void {
  const sizes = records.map((stored) => Number(valueOf(stored)['size']))
  const total = sizes
    .filter((size) => size <= limits.pageBytes)
    .reduce((sum, size) => sum + size, 0)
  if (total <= limits.listPageBytes) return
  throw new CmsError(
    'too-large',
    `The pages of this list have ${total} bytes together; a list returns at most ${limits.listPageBytes}. Ask for fewer with length, or read the files one by one.`,
  )
}

type Visible = (record: JsonObject) => boolean

/** Undefined when the caller may view every record. */
function visibility(context: Context, object: ObjectType): Visible | undefined {
  if (object.name === user.name || object.name === apiKey.name) return ownVisibility(context)
  if (object.name === audit.name) return undefined
  if (holdsEverywhere(context.caller, 'view') && context.purging.size === 0) return undefined

  const known = new Map<number, boolean>()
  const field = object.name === assetCategory.name ? 'asset_category_id' : 'parent_category_id'
  return (record) => {
    const categoryId = Number(record[field])
    const before = known.get(categoryId)
    if (before !== undefined) return before
    const isVisible = grantsAt(context.records, context.caller, categoryId).has('view')
    known.set(categoryId, isVisible)
    return isVisible
  }
}

/** Users and keys: all for the admin grant; else keys of one's own, and oneself. */
function ownVisibility({ caller }: Context): Visible | undefined {
  if (globalGrants(caller).has('admin')) return undefined
  return (record) => record['user_id'] === caller.user.user_id
}
