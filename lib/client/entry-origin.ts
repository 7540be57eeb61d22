// Checks that rows with identifiers were exported from the module that imports them. An identifier does not
// name its module, so an export of table A would overwrite the entries of table B with the same numbers. The
// date_added of a row is the evidence: it differs from the date_added of the entry if the row is from another
// module. All rows are compared before anything is sent.

import type { Api } from './api.ts'
import { ClientError } from './client-error.ts'
import { isRow, parseId, type Row } from './entry-row.ts'
import type { ModuleInfo } from './module-info.ts'

const ROWS_PER_REQUEST = 100

const ADVICE =
  'Nothing was sent. Use --as-new to create a new entry for every row, or --update to change the entries with these numbers.'

export interface OriginCheck {
  /** Throws ClientError `other-origin` if the entry of this row has another date_added than the row. */
  readonly add: (value: unknown, row: number) => Promise<void>
  readonly finish: () => Promise<void>
}

interface Claim {
  readonly row: number
  readonly id: number
  readonly dateAdded: string
}

export function openOriginCheck(api: Api, module: ModuleInfo): OriginCheck {
  let claims: Claim[] = []

  async function finish(): Promise<void> {
    const asked = claims
    claims = []
    if (asked.length === 0) return
    const entries = await readEntries(api, module, asked)
    for (const { row, id, dateAdded } of asked) {
      const known = entries.get(id)
      if (known === undefined || Date.parse(known) === Date.parse(dateAdded)) continue
      const detail =
        `Row ${row} has the number ${id}, and was added at ${dateAdded}; entry ${id} of this module was added at ` +
        `${known}. The file is from another module.`
      throw new ClientError('other-origin', `${detail} ${ADVICE}`)
    }
  }

  return {
    finish,
    async add(value, row) {
      const id = isRow(value) ? parseId(value[module.idField]) : undefined
      if (id === undefined) return
      claims.push({ row, id, dateAdded: dateOf(value as Row, { module, row, id }) })
      if (claims.length >= ROWS_PER_REQUEST) await finish()
    },
  }
}

function dateOf(
  { date_added: date }: Row,
  { module, row, id }: Omit<Claim, 'dateAdded'> & { readonly module: ModuleInfo },
): string {
  if (typeof date === 'string' && !Number.isNaN(Date.parse(date))) return date
  const detail =
    `Row ${row} has the number ${id} but no date_added, so it is unknown whether it was exported from ` +
    `${module.name} or from another module.`
  throw new ClientError('other-origin', `${detail} ${ADVICE}`)
}

/** The date_added of each entry; missing entries are left out, and their rows fail later. */
async function readEntries(
  api: Api,
  { path, kind, idField }: ModuleInfo,
  claims: readonly Claim[],
): Promise<ReadonlyMap<number, string>> {
  const query = new URLSearchParams({
    qry: JSON.stringify({ [`${kind}_entry.${idField}`]: { $in: claims.map(({ id }) => id) } }),
    fields: `${idField},date_added`,
    length: String(ROWS_PER_REQUEST),
  })
  const answer = await api.retrying(() => api.sendJson({ method: 'GET', path: `${path}?${query}` }))
  const found = answer[`${kind}_entry`]
  const entries = Array.isArray(found) ? found.filter(isRow) : []
  return new Map(entries.map((entry) => [Number(entry[idField]), String(entry['date_added'])]))
}
