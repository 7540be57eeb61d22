// Types of the Module API for entries. Its document differs between sites and changes while a page is open, so the
// types are written by hand; the columns come from the record of the module.

export type EntryValue =
  | string
  | number
  | boolean
  | null
  | readonly EntryValue[]
  | { readonly [name: string]: EntryValue }

/** The values of the columns and base fields, by name. */
export type Entry = Readonly<Record<string, EntryValue>>

export interface EntryQuery {
  readonly qry?: string
  readonly table_filter?: string
  readonly orderStr?: string
  readonly orderDir?: string
  readonly start?: number
  readonly length?: number
  readonly cursor?: string
  readonly fields?: string
  readonly expand?: string
  readonly count?: 'exact'
}

interface EventPage extends Pick<EntryPage, 'page'> {
  readonly calendar_entry: Entry[]
}

export interface EntryPage {
  /** The client does not accept a readonly array here. */
  readonly datatable_entry: Entry[]
  readonly page: {
    readonly start: number | null
    readonly length: number
    /** Null if counting would take extra work. */
    readonly total: number | null
    /** Null on the last page. */
    readonly next: string | null
  }
}

/** A changed column; a value that is too large for the history is null, with its size. */
export interface EntryChange {
  readonly name: string
  readonly from: EntryValue
  readonly to: EntryValue
  readonly from_omitted_bytes: number | null
  readonly to_omitted_bytes: number | null
}

/** A change of an entry; the oldest known state has no author if earlier changes are not recorded. */
export interface PastChange {
  readonly number: number
  readonly date_added: string | null
  readonly user_name: string | null
  readonly action: 'create' | 'update' | null
  /** The client does not accept a readonly array here. */
  readonly changes: EntryChange[]
}

export interface EntryHistoryPage extends Pick<EntryPage, 'page'> {
  readonly history: PastChange[]
}

interface ModulePath {
  readonly id: number
  readonly module_name: string
}

interface Answer<T> {
  readonly headers: Readonly<Record<string, unknown>>
  readonly content: { readonly 'application/json': T }
}

interface Body<T> {
  readonly content: { readonly 'application/json': T }
}

interface EntryPath {
  readonly get: {
    readonly parameters: {
      readonly path: ModulePath & { readonly entry_id: number }
      readonly query?: Pick<EntryQuery, 'fields'>
    }
    readonly responses: { readonly 200: Answer<Entry> }
  }
  readonly patch: {
    readonly parameters: {
      readonly path: ModulePath & { readonly entry_id: number }
      readonly header?: { readonly 'If-Match'?: string }
    }
    readonly requestBody: Body<Entry>
    readonly responses: { readonly 200: Answer<Entry> }
  }
  readonly delete: {
    readonly parameters: {
      readonly path: ModulePath & { readonly entry_id: number }
      readonly header?: { readonly 'If-Match'?: string }
    }
    readonly responses: { readonly 204: { readonly headers: Readonly<Record<string, unknown>> } }
  }
}

interface HistoryPath {
  readonly get: {
    readonly parameters: {
      readonly path: ModulePath & { readonly entry_id: number }
      readonly query?: Pick<EntryQuery, 'length'>
    }
    readonly responses: { readonly 200: Answer<EntryHistoryPage> }
  }
}

interface RestorePath {
  readonly post: {
    readonly parameters: {
      readonly path: ModulePath & { readonly entry_id: number; readonly change: number }
      readonly header?: { readonly 'If-Match'?: string }
    }
    readonly responses: { readonly 200: Answer<Entry> }
  }
}

export interface ModulePaths {
  readonly '/module/datatable/{id}/{module_name}': {
    readonly get: {
      readonly parameters: { readonly path: ModulePath; readonly query?: EntryQuery }
      readonly responses: { readonly 200: Answer<EntryPage> }
    }
    readonly post: {
      readonly parameters: {
        readonly path: ModulePath
        readonly header?: { readonly Prefer?: string; readonly 'Idempotency-Key'?: string }
      }
      readonly requestBody: Body<Entry | readonly Entry[]>
      readonly responses: { readonly 201: Answer<{ readonly datatable_entry: Entry }> }
    }
  }
  readonly '/module/calendar/{id}/{module_name}': {
    readonly get: {
      readonly parameters: { readonly path: ModulePath; readonly query?: EntryQuery }
      readonly responses: { readonly 200: Answer<EventPage> }
    }
  }
  readonly '/module/datatable/{id}/{module_name}/{entry_id}': EntryPath
  readonly '/module/datatable/{id}/{module_name}/{entry_id}/history': HistoryPath
  readonly '/module/datatable/{id}/{module_name}/{entry_id}/history/{change}/restore': RestorePath
  readonly '/module/calendar/{id}/{module_name}/{entry_id}': EntryPath
  readonly '/module/calendar/{id}/{module_name}/{entry_id}/history': HistoryPath
  readonly '/module/calendar/{id}/{module_name}/{entry_id}/history/{change}/restore': RestorePath
}
