// The visible datatables or calendars, searched and sorted by the server.

import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { components } from '../../client/interface.d.ts'
import { nameHolds } from '../../client/search.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { Section } from '../../ui/page.tsx'
import { pageQuery, Pagination, useCursors } from '../../ui/pagination.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Column, type Sort, Table } from '../../ui/table.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { PublicMark } from '../content/public-mark.tsx'
import { pathsOfFolders } from '../keys/key-search.ts'

interface ModuleListProps {
  readonly kind: ModuleKind
  readonly text: string
  /** Reports the count, because the page shows a hint if there are none. */
  readonly onFound: (total: number) => void
}

const PATHS: Readonly<Record<ModuleKind, string>> = { datatable: '/data', calendar: '/calendars' }

export function ModuleList({ kind, text, onFound }: ModuleListProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const [sort, setSort] = useState<Sort>({ by: 'name', isDown: false })
  const pages = useCursors()
  const { cursor } = pages
  const { data, error, isLoading, reload } = useRequest(
    (signal) => searchModules(api, { kind, text, sort, cursor }, signal),
    [kind, text, sort, cursor],
  )
  useEffect(() => pages.restart(), [text])
  useEffect(() => {
    if (data !== undefined) onFound(data.total)
  }, [data])
  const title = t.data.kinds[kind]
  if (data?.total === 0) return null

  return (
    <Section title={title}>
      <Loading data={data} error={error} reload={reload} lines={4} />
      {data !== undefined && (
        <div class="module-list">
          <Table
            label={title}
            rows={data.rows}
            columns={columnsIn({ t, formats, kind, folders: data.folders })}
            keyOf={({ id }) => id}
            nameOf={({ name }) => name}
            sort={sort}
            onSort={(next) => {
              pages.restart()
              setSort(next)
            }}
            isStale={isLoading}
          />
          <Pagination pages={pages} next={data.next}>
            {formats.count(t.general.total, data.total)}
          </Pagination>
        </div>
      )}
    </Section>
  )
}

interface ColumnsInput extends Pick<Speech, 't' | 'formats'>, Pick<FoundModules, 'folders'> {
  readonly kind: ModuleKind
}

function columnsIn({ t, formats, kind, folders }: ColumnsInput): readonly Column<ModuleRow>[] {
  return [
    {
      id: 'name',
      head: t.data.name,
      cell: ({ id, name, public: isPublic }) => (
        <span class="marked">
          <Link href={pathOf(`${PATHS[kind]}/${id}`)}>
            <bdi class="clip">{name}</bdi>
          </Link>
          <PublicMark isPublic={isPublic} />
        </span>
      ),
      canSort: true,
    },
    {
      id: 'entry_count',
      head: t.data.counts[kind],
      cell: ({ entry_count: count }) => formats.number(count),
      isNumber: true,
    },
    {
      id: 'folder',
      head: t.data.folder,
      cell: ({ parent_category_id: folderId }) => (
        <Link href={pathOf(`/content/${folderId}`)}>
          <bdi class="clip">{folders.get(folderId) ?? `#${folderId}`}</bdi>
        </Link>
      ),
    },
    {
      id: 'date_modified',
      head: t.data.changedWhen,
      cell: ({ date_modified: changed }) => <DateTime date={changed} isRelative />,
      canSort: true,
    },
    {
      id: 'module_url',
      head: t.data.address,
      cell: ({ module_url: url }) => <code class="clip quiet">{url}</code>,
    },
  ]
}

export type ModuleKind = 'datatable' | 'calendar'

interface ModuleRow
  extends Pick<
    components['schemas']['datatable'],
    'name' | 'parent_category_id' | 'entry_count' | 'module_url' | 'date_modified' | 'public'
  > {
  readonly id: number
}

interface FoundModules {
  readonly rows: readonly ModuleRow[]
  readonly total: number
  readonly next: string | null
  readonly folders: ReadonlyMap<number, string>
}

interface ModuleSearch {
  readonly kind: ModuleKind
  readonly text: string
  readonly sort: Sort
  readonly cursor: string | undefined
}

const SHARED = 'name,parent_category_id,entry_count,module_url,date_modified,public'

/** Common fields of datatables and calendars, and their search. */
async function searchModules(
  api: Api,
  { kind, text, sort, cursor }: ModuleSearch,
  signal: AbortSignal,
): Promise<FoundModules> {
  const query = {
    fields: `${kind}_id,${SHARED}`,
    ...pageQuery({ sort, cursor }),
    ...(text !== '' && { qry: JSON.stringify({ name: nameHolds(text) }) }),
  }
  const { rows, page } = await searchKind(api, { kind, query, signal })
  const ids = rows.map((row) => row.parent_category_id)
  const folders = await pathsOfFolders(api, ids, signal)
  return { rows, total: page.total ?? rows.length, next: page.next, folders }
}

interface Asked {
  readonly kind: ModuleKind
  readonly query: { readonly [name: string]: string | number }
  readonly signal: AbortSignal
}

/** The requested fields are present. */
async function searchKind(api: Api, { kind, query, signal }: Asked) {
  const init = { signal, params: { query } }
  if (kind === 'calendar') {
    const { calendar, page } = await dataOf(api.GET('/calendar', init))
    const rows = calendar.map(({ calendar_id: id, ...rest }) => ({ ...rest, id }) as ModuleRow)
    return { rows, page }
  }
  const { datatable, page } = await dataOf(api.GET('/datatable', init))
  const rows = datatable.map(({ datatable_id: id, ...rest }) => ({ ...rest, id }) as ModuleRow)
  return { rows, page }
}
