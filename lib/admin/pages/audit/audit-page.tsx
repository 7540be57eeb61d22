// The audit trail, newest first. Its filters are stored in the URL.

import { useEffect, useRef, useState } from 'preact/hooks'
import { usePeople } from '../../client/people.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { type Cursors, Pagination, useCursors } from '../../ui/pagination.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { Row } from './audit-row.tsx'
import { ExportMenu } from './export-menu.tsx'
import {
  FilterBar,
  type Filters,
  filtersOf,
  hasFilters,
  NO_FILTERS,
  parseQuery,
  withAllNames,
  withFilters,
} from './filters.tsx'
import { useAudit } from './use-audit.ts'

const TYPING_MS = 300

export function AuditPage() {
  const { t } = useTexts()
  const pages = useCursors()
  const { qry, filters, change } = useSearch(pages)
  const sent = withAllNames(qry, usePeople())
  const found = useAudit(sent, pages.cursor)
  return (
    <Page title={t.titles.audit} intro={t.audit.intro} isWide actions={<ExportMenu qry={sent} />}>
      <FilterBar filters={filters} onChange={change} isClear={qry === ''} />
      <Rows found={found} qry={qry} onClear={() => change(NO_FILTERS)} />
      <Pagination pages={pages} next={found.data?.page.next} />
    </Page>
  )
}

interface RowsProps {
  readonly found: ReturnType<typeof useAudit>
  readonly qry: string
  readonly onClear: () => void
}

function Rows({ found, qry, onClear }: RowsProps) {
  const { t } = useTexts()
  const { data, error, isLoading, reload } = found
  if (error !== undefined || data === undefined)
    return <Loading data={data} error={error} reload={reload} lines={12} />
  if (data.audit.length === 0) {
    return hasFilters(parseQuery(qry) ?? {}) ? (
      <EmptyState
        icon="search"
        title={t.audit.noneFound}
        action={<Button onPress={onClear}>{t.audit.filter.clear}</Button>}
      >
        {t.audit.noneFoundText}
      </EmptyState>
    ) : (
      <EmptyState icon="history" title={t.audit.empty}>
        {t.audit.emptyText}
      </EmptyState>
    )
  }
  return (
    <ol class="audit-list card" aria-busy={isLoading} aria-label={t.titles.audit}>
      {data.audit.map((row) => (
        <Row key={row.audit_id} row={row} names={data.names} deleted={data.deleted} />
      ))}
    </ol>
  )
}

/** The search in the URL, and the typed filters that are not applied yet. */
function useSearch(pages: Cursors) {
  const [qry, setQry] = useState(() => new URLSearchParams(location.search).get('qry') ?? '')
  const [filters, setFilters] = useState<Filters>(() => filtersOf(parseQuery(qry) ?? {}))
  const timer = useRef<ReturnType<typeof setTimeout>>()
  useEffect(() => () => clearTimeout(timer.current), [])

  function search(wanted: Filters): void {
    // Clearing the filters also removes a handwritten query.
    const query = wanted === NO_FILTERS ? {} : withFilters(parseQuery(qry) ?? {}, wanted)
    const next = hasFilters(query) ? JSON.stringify(query) : ''
    if (next === qry) return
    pages.restart()
    setQry(next)
    const address = new URL(location.href)
    if (next === '') address.searchParams.delete('qry')
    else address.searchParams.set('qry', next)
    // Bypasses the router, so that the page and its focus stay.
    history.replaceState(history.state, '', address)
  }

  function change(wanted: Filters): void {
    setFilters(wanted)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => search(wanted), TYPING_MS)
  }
  return { qry, filters, change }
}
