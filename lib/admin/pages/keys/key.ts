// A key as the server returns it, and as form values.

import type { components, operations } from '../../client/interface.d.ts'
import { GRANTS, type Grant } from '../../../shared/grants.ts'
import type { Fetched } from '../../ui/use-edit.ts'

export type Key = components['schemas']['api_key']

type KeyBody = operations['patch_api_key']['requestBody']['content']['application/json']

/** A key with the names it refers to. */
export interface ShownKey extends Fetched<Key> {
  readonly users: ReadonlyMap<number, string>
  readonly folders: ReadonlyMap<number, string>
  /** Name of the key that created it. */
  readonly maker: string | undefined
}

/** All permissions of the user. */
export const ALL = 'all'

export const NEVER = 'never'

/** The key has expired, and the server's clock was set back since. */
export function isEndedByClock({ state, date_expires: end }: Key): boolean {
  return state === 'expired' && end !== null && Date.parse(end) > Date.now()
}

/** Form values as text. */
export interface KeyValues {
  readonly [name: string]: string
  readonly name: string
  /** ALL, or grants separated by commas. */
  readonly grants: string
  /** '' for all folders. */
  readonly asset_category_id: string
  /** NEVER, a number of days from now, a day (YYYY-MM-DD), or the current timestamp. */
  readonly date_expires: string
}

export const NEW_KEY: KeyValues = {
  name: '',
  grants: 'view',
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

/** Converts changed fields to a request body. */
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

/** Null for all permissions of the user. */
export function grantsOf(text: string): Grant[] | null {
  if (text === ALL) return null
  const listed = new Set(text.split(','))
  return GRANTS.filter((grant) => listed.has(grant))
}

export function textOfGrants(grants: readonly Grant[]): string {
  return GRANTS.filter((grant) => grants.includes(grant)).join(',')
}

const DAY_MS = 86_400_000

/** A day ends at midnight in the reader's time zone. */
function endOf(text: string, nowMs: number): string | null {
  if (text === NEVER) return null
  if (/^\d{1,5}$/.test(text)) return new Date(nowMs + Number(text) * DAY_MS).toISOString()
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return new Date(`${text}T23:59:59`).toISOString()
  return text
}
