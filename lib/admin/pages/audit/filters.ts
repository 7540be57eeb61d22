// What is searched for, as `qry` of the interface. It stands in the address of the page, so that a link shows the same;
// what a person has written into it beyond the fields of the page stays, and is sent as it is.

export interface Filters {
  readonly user: string
  readonly action: string
  readonly object: string
  /** Numbers, as they are typed. */
  readonly objectId: string
  readonly keyId: string
  /** Days as `2026-01-31`, in the time zone of the reader. */
  readonly from: string
  readonly to: string
}

export const NO_FILTERS: Filters = {
  user: '',
  action: '',
  object: '',
  objectId: '',
  keyId: '',
  from: '',
  to: '',
}

type Query = Readonly<Record<string, unknown>>

/** Undefined: it is no search, and the server says so. */
export function parseQuery(text: string): Query | undefined {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export function filtersOf(query: Query): Filters {
  const dates = rangeOf(query['date_added'])
  return {
    user: textOf(query['user_name']),
    action: textOf(query['action']),
    object: textOf(query['object']),
    objectId: textOf(query['object_id']),
    keyId: textOf(query['api_key_id']),
    from: dayOf(dates['$gte']),
    to: dayOf(dates['$lt'], -1),
  }
}

/** The search with other filters: what is none of theirs stays. */
export function withFilters(query: Query, filters: Filters): Query {
  const { user_name: _, action: __, object: ___, object_id: ____, ...others } = query
  const { api_key_id: _____, date_added: ______, ...rest } = others
  const { user, action, object, objectId, keyId, from, to } = filters
  const dates = {
    ...(from !== '' && { $gte: startOf(from) }),
    ...(to !== '' && { $lt: startOf(to, 1) }),
  }
  return {
    ...(user !== '' && { user_name: user }),
    ...(action !== '' && { action }),
    ...(object !== '' && { object }),
    ...(objectId !== '' && { object_id: numberOf(objectId) }),
    ...(keyId !== '' && { api_key_id: numberOf(keyId) }),
    ...(Object.keys(dates).length > 0 && { date_added: dates }),
    ...rest,
  }
}

export function hasFilters(query: Query): boolean {
  return Object.keys(query).length > 0
}

/** What is no number is sent as it is, and the server tells it. */
function numberOf(text: string): number | string {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : text
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function rangeOf(value: unknown): Query {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function startOf(day: string, plusDays = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date + plusDays).toISOString()
}

function dayOf(moment: unknown, plusDays = 0): string {
  const date = new Date(typeof moment === 'string' ? moment : Number.NaN)
  if (Number.isNaN(date.getTime())) return ''
  date.setDate(date.getDate() + plusDays)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}
