// Converts filters to and from the `qry` of the API. The query is stored in the URL, so that links show the same
// rows. Conditions that the fields cannot show are kept and sent unchanged.

import type { KnownPeople } from '../../client/people.ts'
import { isObject, parseJson } from '../../client/stored.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'

export interface Filters {
  readonly user: string
  readonly action: string
  readonly object: string
  /** Numbers as typed. */
  readonly objectId: string
  readonly keyId: string
  /** Days such as `2026-01-31`, in the reader's time zone. */
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

/** Returns undefined for invalid JSON, which the server then reports. */
export function parseQuery(text: string): Query | undefined {
  const value = text === '' ? {} : parseJson(text)
  return isObject(value) ? value : undefined
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

/** Returns the query with other filters. All other conditions are kept. */
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

/** The query with all names of the person whom the filter names: rows keep the name that the user had. */
export function withAllNames(qry: string, { all, find }: KnownPeople): string {
  const query = parseQuery(qry) ?? {}
  const text = textOf(query['user_name'])
  if (text === '') return qry
  const named = find({ name: text })
  const people = named === undefined ? all.filter((each) => isShownAs(each, text)) : [named]
  const names = people.flatMap(({ name, former_names: former }) => [name, ...(former ?? [])])
  return names.length === 0 ? qry : JSON.stringify({ ...query, user_name: { $in: names } })
}

function isShownAs({ display_name: shown }: KnownPeople['all'][number], text: string): boolean {
  return shown?.toLowerCase() === text.trim().toLowerCase()
}

export function hasFilters(query: Query): boolean {
  return Object.keys(query).length > 0
}

/** Text that is not a number is sent unchanged, and the server reports it. */
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

/** The filters of the audit trail. They are applied shortly after typing. */
interface FilterBarProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
  readonly isClear: boolean
}

export function FilterBar({ filters, onChange, isClear }: FilterBarProps) {
  const { t } = useTexts()
  const { actions, kinds, filter } = t.audit
  const field = (name: keyof Filters) => ({
    name,
    label: filter[name],
    value: filters[name],
    onChange: (value: string) => onChange({ ...filters, [name]: value }),
  })
  const optionsOf = (texts: Readonly<Record<string, string>>) => [
    { value: '', text: filter.all },
    ...Object.entries(texts).map(([value, text]) => ({ value, text })),
  ]
  return (
    <search class="audit-filters" aria-label={filter.label}>
      <TextInput {...field('user')} type="search" />
      <Select {...field('action')} options={optionsOf(actions)} />
      <Select {...field('object')} options={optionsOf(kinds)} />
      <TextInput {...field('objectId')} inputMode="numeric" />
      <TextInput {...field('keyId')} inputMode="numeric" />
      <TextInput {...field('from')} type="date" />
      <TextInput {...field('to')} type="date" />
      <div class="audit-filters-end">
        <Button kind="quiet" isDisabled={isClear} onPress={() => onChange(NO_FILTERS)}>
          {filter.clear}
        </Button>
      </div>
    </search>
  )
}
