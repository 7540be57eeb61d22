// The saved views of a user: named searches of the lists in the administration area.

import type { Fault } from '../base/errors.ts'
import { MAX_SAVED_VIEWS, MAX_VIEW_NAME, MAX_VIEW_QUERY } from '../shared/limits.ts'
import { refuseFaults, refuseField } from './check.ts'
import { string } from './field.ts'
import { foldName, nameFault } from './names.ts'
import type { RecordType } from './values.ts'

export interface SavedView {
  readonly name: string
  /** `content`, or `data/12` for the entries of datatable 12. */
  readonly page: string
  /** The part of the address of the page after the question mark. */
  readonly query: string
}

/** Key: [user_id]. Stored separately from the user, so that no read of a user can return it. */
interface SavedViews {
  readonly views: readonly SavedView[]
}

export const savedViews: RecordType<SavedViews> = { name: 'saved_views', indexes: [] }

export const VIEW_FIELDS = {
  name: string('required', {
    description: 'Unique among the views of the page; case is ignored.',
    maxLength: MAX_VIEW_NAME,
    check: nameFault,
  }),
  page: string('required', {
    description:
      'The page of the administration area: content, or data/{datatable_id} for the entries of a datatable.',
    pattern: /^(?:content|data\/[1-9][0-9]{0,15})$/,
    rule: 'must be content, or data/ with the identifier of a datatable',
    example: 'content',
  }),
  query: string('required', {
    description: 'The part of the address of the page after the question mark, percent-encoded.',
    maxLength: MAX_VIEW_QUERY,
    pattern: /^(?:[!->@-~][!-~]*)?$/,
    rule: 'must be the percent-encoded part of an address after the question mark',
    example: 'state=changed&sort=-date_modified',
  }),
} as const

const NAMES = ['name', 'page', 'query'] as const

/** Checks the list of views of a body. Throws invalid-content with every fault. */
export function checkSavedViews(value: unknown): readonly SavedView[] {
  if (!Array.isArray(value) || value.length > MAX_SAVED_VIEWS)
    refuseField('views', `must be a list of at most ${MAX_SAVED_VIEWS} views`)
  const list: readonly unknown[] = value
  const faults: Fault[] = []
  const views = list.map((item, at) => readView(item, `/views/${at}`, faults))
  refuseFaults(faults)
  refuseFaults(repeatedNames(views))
  return views
}

function readView(item: unknown, pointer: string, faults: Fault[]): SavedView {
  const view: Record<keyof SavedView, string> = { name: '', page: '', query: '' }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) {
    faults.push({ pointer, detail: 'must be an object with name, page and query' })
    return view
  }
  const given = item as Readonly<Record<string, unknown>>
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(VIEW_FIELDS, name)) continue
    // The name is not part of the pointer, because it can be as long as the body.
    faults.push({ pointer, detail: 'must have no members besides name, page and query' })
    break
  }
  for (const name of NAMES) {
    const checked = VIEW_FIELDS[name].check(given[name])
    if (checked.ok) view[name] = checked.value
    else faults.push({ pointer: `${pointer}/${name}`, detail: checked.detail })
  }
  return view
}

function repeatedNames(views: readonly SavedView[]): readonly Fault[] {
  const seen = new Set<string>()
  return views.flatMap(({ page, name }, at) => {
    const key = `${page} ${foldName(name)}`
    const isTaken = seen.has(key)
    seen.add(key)
    return isTaken ? [{ pointer: `/views/${at}/name`, detail: 'is taken' }] : []
  })
}
