// The module of an import or export of entries: its address and the columns of its entries.

import { LIMITS } from '../config/limits.ts'
import { COLUMN_TYPES } from '../shared/column-types.ts'
import { buildEntryType } from '../schema/entry.ts'
import { maxListEntries } from '../shared/list-size.ts'
import { EMPTY_LAYOUT } from '../schema/layout.ts'
import { isModuleKind, type ModuleKind } from '../schema/module.ts'
import type { Api } from './api.ts'
import { ClientError } from './client-error.ts'

export interface ModuleAddress {
  /** Address of the server; may contain a path before /api/v2. */
  readonly url: string
  readonly kind: ModuleKind
  readonly id: number
  readonly name: string
  /** Path below the url: /api/v2/module/datatable/5/cities */
  readonly path: string
}

export interface ModuleInfo extends ModuleAddress {
  readonly idField: string
  /** Columns that a client can set, with the kind of their values; undefined if the kind is unknown here. */
  readonly columns: ReadonlyMap<string, string | undefined>
  /** Entries that one list may create. */
  readonly maxEntries: number
  /** All columns of a list response, in their order. */
  readonly fieldNames: readonly string[]
}

const ADDRESS =
  /^(https?:\/\/[^?#]*?)?(\/api\/v2\/module\/([a-z]+)\/([1-9]\d{0,14})\/([a-z\d-]+))\/?$/

/**
 * Accepts an absolute address, or a path on the server at `url`, with or without the path of the url in front.
 */
export function parseModuleAddress(module: string, url: string): ModuleAddress {
  const base = URL.canParse(url) ? new URL(url).pathname.replace(/\/+$/, '') : ''
  const given = module.startsWith(`${base}/`) ? module.slice(base.length) : module
  const [, origin = url, path = '', kind, id, name = ''] = ADDRESS.exec(given) ?? []
  if (isModuleKind(kind)) return { url: origin, kind, id: Number(id), name, path }

  const example = 'http://localhost:8080/api/v2/module/datatable/1/name'
  const detail = `Give the address of the module (its module_url), such as ${example}.`
  throw new ClientError('bad-url', detail)
}

export async function readModule(api: Api, address: ModuleAddress): Promise<ModuleInfo> {
  const { kind, id, name } = address
  const record = await api.retrying(() =>
    api.sendJson({ method: 'GET', path: `/api/v2/${kind}/${id}` }),
  )
  if (record['module_name'] !== name) {
    const known = String(record['module_url'])
    throw new ClientError('not-found', `The name of ${kind} ${id} is not ${name}: use ${known}.`)
  }

  const { object, givenNames, baseNames } = buildEntryType(kind, id, EMPTY_LAYOUT)
  const { idField, fields } = object
  const given = [...givenNames].map((field) => [field, fields[field]?.search] as const)
  const parsed = parseColumns(record['columns'])
  const own = parsed.filter(({ isComputed }) => !isComputed)
  const columns = new Map([...given, ...own.map((item) => [item.name, item.kind] as const)])
  const unique = parsed.filter(({ isUnique }) => isUnique).length
  const computed = parsed.flatMap(({ name: column, isComputed }) => (isComputed ? [column] : []))
  const maxEntries = maxListEntries({ fields: columns.size + computed.length, unique }, LIMITS)
  const added = [...baseNames].filter((field) => !givenNames.has(field) && field !== idField)
  const fieldNames = [idField, ...columns.keys(), ...computed, ...added]
  return { ...address, idField, columns, maxEntries, fieldNames }
}

interface ParsedColumn {
  readonly name: string
  readonly kind: string | undefined
  readonly isUnique: boolean
  /** The server computes the values and accepts none. */
  readonly isComputed: boolean
}

function parseColumns(columns: unknown): readonly ParsedColumn[] {
  if (!Array.isArray(columns)) {
    const detail = 'The response has no columns: the address does not belong to a content server.'
    throw new ClientError('not-a-content-server', detail)
  }
  const types: Readonly<Record<string, { readonly kind: string }>> = COLUMN_TYPES
  return columns.map(
    ({ name, type, isUnique, computed, references }: Readonly<Record<string, unknown>>) => ({
      name: String(name),
      kind: isMany(references) ? 'integers' : types[String(type)]?.kind,
      isUnique: isUnique === true,
      isComputed: typeof computed === 'string',
    }),
  )
}

/** Whether the values of a column are lists of references. */
function isMany(references: unknown): boolean {
  const isObject = typeof references === 'object' && references !== null
  return isObject && 'isMany' in references && references.isMany === true
}
