// The entries that refer to an entry, by the columns of datatables and calendars that the user sees.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { maySomewhere } from '../../client/me.ts'
import type { Entry } from '../../client/module-paths.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { grantsIn, readFolderLine } from '../content/records.ts'
import { leaveCopy } from './entry-form.tsx'
import { pathOfReferenced } from './reference-target.ts'

interface BackReferencesProps {
  readonly tableId: number
  readonly entryId: number
}

/** A column that refers to the entries of a datatable. */
interface Referring {
  readonly object: 'datatable' | 'calendar'
  readonly id: number
  readonly name: string
  readonly moduleName: string
  /** Null if the entries have no title. */
  readonly titleName: string | null
  readonly column: string
  readonly isMany: boolean
  readonly folderId: number
}

/** Referring columns that are shown: each takes one request. */
const MOST_COLUMNS = 20
/** Entries that are shown of each column. */
const MOST_ENTRIES = 10

export function BackReferences({ tableId, entryId }: BackReferencesProps) {
  const { t } = useTexts()
  const api = useApi()
  const { data } = useRequest((signal) => findReferring(api, tableId, signal), [tableId])
  if (data === undefined || data.length === 0) return null
  return (
    <section class="entry-history back-references" aria-labelledby="back-references">
      <h2 id="back-references">{t.entries.back.title}</h2>
      {data.map((referring) => (
        <ReferringEntries
          key={`${referring.object} ${referring.id} ${referring.column}`}
          referring={referring}
          entryId={entryId}
        />
      ))}
    </section>
  )
}

interface ReferringEntriesProps {
  readonly referring: Referring
  readonly entryId: number
}

function ReferringEntries({ referring, entryId }: ReferringEntriesProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { route } = useLocation()
  const { object, id, name, column, titleName, isMany } = referring
  const { data, error, reload } = useRequest(
    (signal) => readReferring(api, { referring, entryId }, signal),
    [object, id, column, entryId],
  )
  const mayCreate = useMayCreate(referring)
  const target = { object, module_id: id, isMany, onDelete: 'restrict', accept: null } as const
  const idName = `${object}_entry_id`
  const nameOf = (entry: Entry): string => {
    const title = titleName === null ? '' : String(entry[titleName] ?? '')
    return title === '' ? `#${String(entry[idName])}` : title
  }
  return (
    <div class="card" role="group" aria-label={`${name}: ${column}`}>
      <div class="entry-history-head">
        <h3>
          <bdi>{name}</bdi>: {column}
        </h3>
        {object === 'datatable' && mayCreate && (
          <Button
            icon="plus"
            label={fill(t.entries.back.add, { table: name })}
            onPress={() => {
              leaveCopy(id, { [column]: isMany ? [entryId] : entryId })
              route(pathOf(`/data/${id}/new`))
            }}
          />
        )}
      </div>
      <Loading data={data} error={error} reload={reload} lines={2} />
      {data !== undefined && (
        <>
          <p class="quiet">{formats.count(t.entries.rows, data.total)}</p>
          <ul>
            {data.entries.map((entry) => (
              <li key={String(entry[idName])}>
                <Link href={pathOfReferenced(target, Number(entry[idName]))}>
                  <bdi>{nameOf(entry)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
          {object === 'datatable' && data.total > data.entries.length && (
            <p>
              <Link
                href={pathOf(`/data/${id}?qry=${encodeURIComponent(qryOf(referring, entryId))}`)}
              >
                {t.entries.back.all}
              </Link>
            </p>
          )}
        </>
      )}
    </div>
  )
}

/** False until the grants are known. */
function useMayCreate({ object, folderId }: Referring): boolean {
  const api = useApi()
  const me = useMe()
  const isPossible =
    object === 'datatable' && me !== undefined && GRANTS.some((grant) => maySomewhere(me, grant))
  const { data } = useRequest(
    async (signal) => {
      if (!isPossible) return false
      const grants = grantsIn(me, await readFolderLine(api, folderId, signal))
      return GRANTS.some((grant) => grants.has(grant))
    },
    [folderId, isPossible],
  )
  return data === true
}

const GRANTS = ['create', 'modify'] as const

function qryOf({ column }: Referring, entryId: number): string {
  return JSON.stringify({ [column]: entryId })
}

/** The modules whose schemas name the datatable are searched; their columns decide. */
async function findReferring(
  api: Api,
  tableId: number,
  signal: AbortSignal,
): Promise<readonly Referring[]> {
  const pattern = String.raw`REFERENCES\s+datatable\s+${tableId}\b`
  const named = { table_schema: { $regex: pattern, $options: 'i' } }
  const query = (qry: object, fields: string) => ({
    params: { query: { qry: JSON.stringify(qry), fields, orderStr: 'name', length: MOST_COLUMNS } },
    signal,
  })
  const shared = 'name,module_name,columns,parent_category_id'
  const [{ datatable }, { calendar }] = await Promise.all([
    // The own datatable may refer to itself as SELF.
    dataOf(
      api.GET(
        '/datatable',
        query({ $or: [named, { datatable_id: tableId }] }, `datatable_id,title_field,${shared}`),
      ),
    ),
    dataOf(api.GET('/calendar', query(named, `calendar_id,${shared}`))),
  ])
  const modules = [
    ...datatable.map((each) => ({
      ...each,
      object: 'datatable' as const,
      id: each.datatable_id ?? 0,
      titleName: each.title_field ?? null,
    })),
    ...calendar.map((each) => ({
      ...each,
      object: 'calendar' as const,
      id: each.calendar_id ?? 0,
      titleName: 'event_title',
    })),
  ]
  const found = modules.flatMap(({ object, id, titleName, ...module }) => {
    const { name = '', module_name, columns, parent_category_id } = module
    return (columns ?? []).flatMap(({ name: column, references }): readonly Referring[] =>
      references?.object === 'datatable' && references.module_id === tableId
        ? [
            {
              object,
              id,
              name,
              moduleName: module_name ?? '',
              titleName,
              column,
              isMany: references.isMany,
              folderId: parent_category_id ?? 0,
            },
          ]
        : [],
    )
  })
  return found.slice(0, MOST_COLUMNS)
}

interface FoundEntries {
  readonly entries: readonly Entry[]
  readonly total: number
}

async function readReferring(
  api: Api,
  { referring, entryId }: ReferringEntriesProps,
  signal: AbortSignal,
): Promise<FoundEntries> {
  const { object, id, moduleName, titleName } = referring
  const idName = `${object}_entry_id`
  const query = {
    qry: qryOf(referring, entryId),
    fields: titleName === null ? idName : `${idName},${titleName}`,
    length: MOST_ENTRIES,
    count: 'exact' as const,
  }
  const init = { signal, params: { path: { id, module_name: moduleName }, query } }
  if (object === 'calendar') {
    const { calendar_entry: entries, page } = await dataOf(
      api.GET('/module/calendar/{id}/{module_name}', init),
    )
    return { entries, total: page.total ?? entries.length }
  }
  const { datatable_entry: entries, page } = await dataOf(
    api.GET('/module/datatable/{id}/{module_name}', init),
  )
  return { entries, total: page.total ?? entries.length }
}
