// The visible datatables or calendars, searched and sorted by the server.

import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useApi } from '../../client/client-context.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { DateTime } from '../../ui/date-time.tsx'
import { Link } from '../../ui/link.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { Pagination, useCursors } from '../../ui/pagination.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Column, type Sort, Table } from '../../ui/table.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { type FoundModules, type ModuleKind, type ModuleRow, searchModules } from './modules.ts'

export interface ModuleListProps {
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
      {error !== undefined && <ProblemNotice error={error} onRetry={reload} />}
      {data === undefined && error === undefined && <Skeleton lines={4} />}
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
      cell: ({ id, name }) => (
        <Link href={pathOf(`${PATHS[kind]}/${id}`)}>
          <bdi class="clip">{name}</bdi>
        </Link>
      ),
      canSort: true,
    },
    {
      id: 'entry_count',
      head: t.data.entryCount,
      cell: ({ entries }) => formats.number(entries),
      isNumber: true,
    },
    {
      id: 'folder',
      head: t.data.folder,
      cell: ({ folderId }) => (
        <Link href={pathOf(`/content/${folderId}`)}>
          <bdi class="clip">{folders.get(folderId) ?? `#${folderId}`}</bdi>
        </Link>
      ),
    },
    {
      id: 'date_modified',
      head: t.data.changedWhen,
      cell: ({ changed }) => <DateTime date={changed} isRelative />,
      canSort: true,
    },
    {
      id: 'module_url',
      head: t.data.address,
      cell: ({ url }) => <code class="clip quiet">{url}</code>,
    },
  ]
}
