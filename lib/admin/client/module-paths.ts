// The part of the interface that is about the entries of modules. Its document is another one for each site and
// changes while a page is open, so this is written by hand, and columns are what the record of the module tells.

export type EntryValue = string | number | boolean | null

/** The columns and the base fields, by their names. */
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
  readonly count?: 'exact'
}

export interface EntryPage {
  /** The client knows no readonly list as one. */
  readonly datatable_entry: Entry[]
  readonly page: {
    readonly start: number | null
    readonly length: number
    /** Null: not known without extra work. */
    readonly total: number | null
    /** Null: there are no more. */
    readonly next: string | null
  }
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
  readonly '/module/datatable/{id}/{module_name}/{entry_id}': {
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
}
