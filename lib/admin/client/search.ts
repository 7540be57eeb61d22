// Finds records of a kind by a part of their name, for record pickers and the palette. An empty text returns some
// records.

import { type Api, dataOf } from './api.ts'

export type Searched =
  | 'asset_category'
  | 'asset_file'
  | 'datatable'
  | 'calendar'
  | 'user'
  | 'api_key'

export interface Found {
  readonly id: number
  readonly name: string
  /** Includes the parent folders; undefined for records outside of folders. */
  readonly path: string | undefined
  /** The sign-in name of a user with a display name. */
  readonly note?: string
}

export interface Search {
  readonly object: Searched
  readonly text: string
  readonly length: number
  readonly signal: AbortSignal
}

/** Matches the text anywhere in a name, ignoring case. */
export function nameHolds(text: string): object {
  const literal = text.trim().replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
  return { $regex: literal, $options: 'i' }
}

export function findRecords(api: Api, search: Search): Promise<readonly Found[]> {
  return FINDERS[search.object](api, search)
}

const FINDERS: Readonly<Record<Searched, (api: Api, search: Search) => Promise<readonly Found[]>>> =
  {
    async asset_category(api, search) {
      const query = { ...queryOf(search), fields: 'asset_category_id,name,path' }
      const { signal } = search
      const found = await dataOf(api.GET('/asset_category', { signal, params: { query } }))
      return found.asset_category.map((each) => foundOf(each.asset_category_id, each))
    },
    async asset_file(api, search) {
      const query = { ...queryOf(search), fields: 'asset_file_id,name,path' }
      const { signal } = search
      const found = await dataOf(api.GET('/asset_file', { signal, params: { query } }))
      return found.asset_file.map((each) => foundOf(each.asset_file_id, each))
    },
    async datatable(api, search) {
      const query = { ...queryOf(search), fields: 'datatable_id,name' }
      const { signal } = search
      const found = await dataOf(api.GET('/datatable', { signal, params: { query } }))
      return found.datatable.map((each) => foundOf(each.datatable_id, each))
    },
    async calendar(api, search) {
      const query = { ...queryOf(search), fields: 'calendar_id,name' }
      const { signal } = search
      const found = await dataOf(api.GET('/calendar', { signal, params: { query } }))
      return found.calendar.map((each) => foundOf(each.calendar_id, each))
    },
    async user(api, search) {
      const query = { ...queryOf(search), fields: 'user_id,name,display_name' }
      const { signal } = search
      const found = await dataOf(api.GET('/user', { signal, params: { query } }))
      return found.user.map(({ user_id: id, name = '', display_name: shown = null }) =>
        shown === null ? foundOf(id, { name }) : { ...foundOf(id, { name: shown }), note: name },
      )
    },
    async api_key(api, search) {
      // Sessions are keys too, but nobody searches for a session by name.
      const query = { ...queryOf(search, { date_signed_in: null }), fields: 'api_key_id,name' }
      const { signal } = search
      const found = await dataOf(api.GET('/api_key', { signal, params: { query } }))
      return found.api_key.map((each) => foundOf(each.api_key_id, each))
    },
  }

function queryOf({ object, text, length }: Search, and: object = {}) {
  const name = nameHolds(text)
  const holds = object === 'user' ? { $or: [{ name }, { display_name: name }] } : { name }
  const qry = { ...and, ...(text.trim() !== '' && holds) }
  return { qry: JSON.stringify(qry), orderStr: 'name', length }
}

function foundOf(
  id: number | undefined,
  { name, path }: { readonly name?: string; readonly path?: string },
): Found {
  // The fields were requested above.
  return { id: id ?? 0, name: name ?? '', path }
}
