// A key as the pages know it: what the server tells of it, and what of that a form holds.

import type { components, operations } from '../../client/interface.d.ts'
import { GRANTS, type Grant } from '../../client/me.ts'
import type { Held } from '../../ui/use-edit.ts'

export type Key = components['schemas']['api_key']

type KeyBody = operations['update_api_key']['requestBody']['content']['application/json']

/** What is shown, with the names that it speaks of. */
export interface ShownKey extends Held<Key> {
  readonly users: ReadonlyMap<number, string>
  readonly folders: ReadonlyMap<number, string>
  /** Of the key that has made it. */
  readonly maker: string | undefined
}

/** All of its user. */
export const ALL = 'all'

/** Never ends. */
export const NEVER = 'never'

/** The clock of the server has shown that time, and was set back since. */
export function isEndedByClock({ state, date_expires: end }: Key): boolean {
  return state === 'expired' && end !== null && Date.parse(end) > Date.now()
}

/** The fields of a form, as text. */
export interface KeyValues {
  readonly [name: string]: string
  readonly name: string
  /** ALL, or grants with commas between. */
  readonly grants: string
  /** '': everywhere. */
  readonly asset_category_id: string
  /** NEVER, a number of days from now, a day (YYYY-MM-DD), or a moment that it has already. */
  readonly date_expires: string
}

export const NEW_KEY: KeyValues = {
  name: '',
  grants: ALL,
  asset_category_id: '',
  date_expires: '365',
}

export function valuesOf(key: Key): KeyValues {
  return {
    name: key.name,
    grants: key.grants === null ? ALL : textOfGrants(key.grants),
    asset_category_id: key.asset_category_id === null ? '' : String(key.asset_category_id),
    date_expires: key.date_expires ?? NEVER,
  }
}

/** Of some of its fields, as the server takes them. */
export function bodyOf(values: Partial<KeyValues>, nowMs = Date.now()) {
  const { name, grants, asset_category_id: folder, date_expires: end } = values
  const body: Pick<KeyBody, 'name' | 'grants' | 'asset_category_id' | 'date_expires'> = {
    ...(name !== undefined && { name }),
    ...(grants !== undefined && { grants: grantsOf(grants) }),
    ...(folder !== undefined && { asset_category_id: folder === '' ? null : Number(folder) }),
    ...(end !== undefined && { date_expires: endOf(end, nowMs) }),
  }
  return body
}

/** Null: all of its user. */
export function grantsOf(text: string): Grant[] | null {
  if (text === ALL) return null
  const held = new Set(text.split(','))
  return GRANTS.filter((grant) => held.has(grant))
}

export function textOfGrants(grants: readonly Grant[]): string {
  return GRANTS.filter((grant) => grants.includes(grant)).join(',')
}

const DAY_MS = 86_400_000

/** A day is meant whole, as whoever chose it counts days. */
function endOf(text: string, nowMs: number): string | null {
  if (text === NEVER) return null
  if (/^\d{1,5}$/.test(text)) return new Date(nowMs + Number(text) * DAY_MS).toISOString()
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return new Date(`${text}T23:59:59`).toISOString()
  return text
}
