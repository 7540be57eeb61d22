// The entries of a datatable in a grid, with search above and counts below.

import { useLocation, useRoute } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { seesComments } from '../../client/comments.ts'
import type { Entry } from '../../client/module-paths.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useSettled } from '../../ui/use-request.ts'
import { CommentCount, useOpenComments } from '../comments/comment-count.tsx'
import { type ShownTable, useTable } from '../data/table.ts'
import { TablePage } from '../data/table-head.tsx'
import { AboveGrid } from './above-grid.tsx'
import { EntriesActions } from './entries-actions.tsx'
import {
  addressOf,
  type EntryView,
  idsBetween,
  isBadQuery,
  isFiltered,
  listQueryOf,
  viewOf,
} from './entry-view.ts'
import { type EntryField, fieldsOf, idOf, nameOfEntry } from './fields.ts'
import { Grid } from './grid.tsx'
import { useWidths } from './column-fit.ts'
import { isShown, useDensity, useLayout, usualWidth } from './grid-columns.ts'
import { GridFoot } from './grid-foot.tsx'
import type { CellPlace } from './grid-keys.ts'
import { SelectionBar } from './selection-bar.tsx'
import { UnsavedCells } from './unsaved-cells.tsx'
import { useEntryRequests } from './entry-requests.ts'
import { useGridKeys } from './use-grid-keys.tsx'
import { throughReferences, useTitles } from './reference-titles.ts'
import { mayCreate } from './references/may-create.ts'
import { type RowsState, useRows } from './rows.ts'
import { useImport } from './use-import.tsx'
import { useSelection } from './use-selection.ts'

export function EntriesPage() {
  const id = Number(useRoute().params['id'])
  const table = useTable(id)
  /** Incremented after an import. */
  const [round, setRound] = useState(0)
  const importing = useImport(() => setRound((count) => count + 1))
  return (
    <TablePage
      key={id}
      table={table}
      current="entries"
      actions={
        table.data !== undefined && (
          <EntriesActions shown={table.data} onImport={importing.choose} />
        )
      }
    >
      {(shown) => (
        <>
          <EntriesView shown={shown} round={round} onImport={importing.choose} />
          {importing.view(shown)}
        </>
      )}
    </TablePage>
  )
}

interface EntriesViewProps {
  readonly shown: ShownTable
  readonly round: number
  readonly onImport: () => void
}

const FIRST: CellPlace = { row: 0, column: 1 }

// oxlint-disable-next-line eslint/max-lines-per-function -- the parts around one grid share this state
function EntriesView({ shown, round, onImport }: EntriesViewProps) {
  const { record, grants } = shown
  const tableId = record.datatable_id
  const { query } = useLocation()
  const { t } = useTexts()
  const toast = useToast()
  const requests = useEntryRequests(record)
  const fields = useTitles(fieldsOf(record))
  const searched = [...fields, ...throughReferences(fields)]
  const columns = useLayout(tableId)
  const density = useDensity()
  const seen = fields.filter((field, at) => at === 0 || isShown(columns.layout, field))
  const [view, setView] = useState(() => viewOf(query))
  const [active, setActive] = useState<CellPlace>(FIRST)
  const asked = useSettled(view)
  const { rows, state, search } = useRows({ requests, view: asked, fields, seen })
  const widths = useWidths({ fields: seen, layout: columns.layout, state })
  const selection = useSelection({
    rows: state.rows,
    idsBetween: (from, to) => idsBetween({ requests, query: listQueryOf(asked) }, from, to),
    onFailure: toast.problem,
  })
  const mayEdit = grants.has('modify')
  const comments = useCommentsInSight(shown, state.rows, round)
  const hrefOf = (entry: Entry, row: number): string =>
    pathOf(`/data/${tableId}/${idOf(entry)}${addressOf(view, row)}`)
  const nameOf = (entry: Entry): string => nameOfEntry(entry, fields[0])
  const cells = useGridKeys({
    tableId,
    requests,
    rows,
    state,
    seen,
    mayEdit,
    active,
    setActive,
    selection,
    hrefOf,
  })
  useEffect(() => history.replaceState(null, '', `${location.pathname}${addressOf(view)}`), [view])
  useEffect(() => {
    if (round > 0) rows.reload()
  }, [round])
  // Selection and position belong to one search.
  useEffect(() => {
    selection.clear()
    setActive(FIRST)
  }, [search])

  const isEmpty = state.isReady && state.isCounted && state.count === 0 && state.error === undefined
  return (
    <div class="entries">
      <AboveGrid
        {...{ tableId, view, fields, searched, columns, density }}
        rows={state.rows}
        widthOf={(field) => widths[seen.indexOf(field)] ?? usualWidth(field)}
        error={state.error}
        onView={setView}
      />
      <UnsavedCells edits={cells.edits} fields={fields} rows={state.rows} />
      {state.error !== undefined && !isBadQuery(state.error) && (
        <ProblemNotice error={state.error} onRetry={() => rows.reload()} />
      )}
      {!state.isReady && state.error !== undefined ? null : isEmpty ? (
        <NoEntries
          tableId={tableId}
          isSearch={isFiltered(view)}
          hasWildcards={/[*%]/.test(view.qry.includes('$regex') ? view.text : view.text + view.qry)}
          mayCreate={mayCreate(grants)}
          onImport={onImport}
          onClear={() => setView({ ...view, qry: '', text: '' })}
        />
      ) : (
        <Grid
          label={t.data.partNames.entries}
          fields={seen}
          key={density.isCompact}
          isCompact={density.isCompact}
          widths={widths}
          onWidth={columns.setWidth}
          state={state}
          onSight={(first, last) => {
            rows.want(first, last)
            comments.see(first, last)
          }}
          sort={view.sort}
          onSort={(field) => setView(sortedBy(view, field))}
          active={active}
          onActive={setActive}
          selection={selection}
          nameOf={nameOf}
          hrefOf={hrefOf}
          markOf={(entry) => <CommentCount count={comments.countOf(entry)} />}
          cellView={cells.viewOf}
          onKey={cells.onKey}
          onEdit={cells.edit}
          mayEdit={mayEdit}
          search={search}
        />
      )}
      {selection.isSome && (
        <SelectionBar
          {...{ tableId, selection, requests, fields, grants, view: asked, state, nameOf }}
          onChange={() => rows.reload()}
        />
      )}
      {!isEmpty && (
        <GridFoot
          state={state}
          isFiltered={isFiltered(view)}
          mayEdit={mayEdit}
          view={asked}
          requests={requests}
        />
      )}
    </div>
  )
}

/** The numbers of open comments on the visible entries. */
function useCommentsInSight(
  { record, grants }: ShownTable,
  rows: RowsState['rows'],
  round: number,
) {
  const [sight, setSight] = useState<readonly [number, number]>([0, -1])
  const targetOf = (entry: Entry): string => `datatable/${record.datatable_id}/${idOf(entry)}`
  const [first, last] = useSettled(sight)
  const seen = Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) =>
    rows.get(first + at),
  )
  const targets = seen.flatMap((entry) => (entry === undefined ? [] : [targetOf(entry)]))
  const counts = useOpenComments(seesComments(grants) ? targets : [], round)
  return {
    see: (from: number, to: number): void => setSight([from, to]),
    countOf: (entry: Entry): number | undefined => counts.get(targetOf(entry)),
  }
}

/** Cycles through ascending, descending and unsorted. */
function sortedBy(view: EntryView, { name }: EntryField): EntryView {
  const { sort } = view
  if (sort?.by !== name) return { ...view, sort: { by: name, isDown: false } }
  return { ...view, sort: sort.isDown ? undefined : { by: name, isDown: true } }
}

interface NoEntriesProps {
  readonly tableId: number
  readonly isSearch: boolean
  /** The searched text contains * or %. */
  readonly hasWildcards: boolean
  readonly mayCreate: boolean
  readonly onImport: () => void
  readonly onClear: () => void
}

/** Shown in place of an empty grid. */
function NoEntries(props: NoEntriesProps) {
  const { tableId, isSearch, hasWildcards, mayCreate: isMaker, onImport, onClear } = props
  const { t } = useTexts()
  if (isSearch) {
    return (
      <EmptyState
        icon="search"
        title={t.entries.nothingFound}
        action={<Button onPress={onClear}>{t.entries.clearFilters}</Button>}
      >
        {hasWildcards ? t.general.noWildcards : t.entries.nothingFoundText}
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon="table"
      title={t.entries.empty}
      action={
        isMaker && (
          <>
            <ButtonLink icon="plus" href={pathOf(`/data/${tableId}/new`)}>
              {t.entries.newOne}
            </ButtonLink>
            <Button icon="upload" onPress={onImport}>
              {t.entries.import}
            </Button>
          </>
        )
      }
    >
      {isMaker ? t.entries.emptyText : t.entries.emptyView}
    </EmptyState>
  )
}
