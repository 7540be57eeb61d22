// The trash: deleted records, newest first, to restore or to delete permanently.

import { useState } from 'preact/hooks'
import type { paths } from '../../client/interface.d.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { restoreItem } from '../../client/deleted-records.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Bytes } from '../../ui/bytes.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { DateTime } from '../../ui/date-time.tsx'
import { useDeletionNote, useHasTrash } from '../../ui/delete-form.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { pageQuery, Pagination, useCursors } from '../../ui/pagination.tsx'
import { Select } from '../../ui/select.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Person } from '../../ui/person.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'

type Item = Required<
  paths['/trash']['get']['responses'][200]['content']['application/json']['trash'][number]
>

export function TrashPage() {
  const { t, formats } = useTexts()
  const api = useApi()
  const pages = useCursors()
  const { cursor } = pages
  const [kind, setKind] = useState('')
  const { data, error, isLoading, reload } = useRequest(
    (signal) => searchTrash(api, { cursor, kind, signal }),
    [cursor, kind],
  )
  const actions = useTrashActions(reload)
  const hasTrash = useHasTrash()
  const note = useDeletionNote()
  const isEmpty = data?.items.length === 0 && !pages.hasPrevious

  return (
    <Page
      title={t.titles.trash}
      intro={hasTrash ? `${t.trash.intro} ${note}` : t.trash.intro}
      actions={
        <Button icon="trash" isDisabled={isEmpty} onPress={() => void actions.empty()}>
          {t.trash.emptyNow}
        </Button>
      }
      isWide
    >
      <div class="filters">
        <KindSelect
          value={kind}
          onChange={(next) => {
            pages.restart()
            setKind(next)
          }}
        />
      </div>
      <Loading data={data} error={error} reload={reload} lines={6} />
      {isEmpty && (
        <EmptyState icon="trash" title={kind === '' ? t.trash.empty : t.trash.noneFound}>
          {kind === '' && t.trash.emptyText}
        </EmptyState>
      )}
      {data !== undefined && !isEmpty && (
        <>
          <Table
            label={t.titles.trash}
            rows={data.items}
            columns={columnsIn(t, actions)}
            keyOf={(each) => each.trash_id}
            nameOf={(each) => nameIn(t, each)}
            isStale={isLoading}
          />
          <Pagination pages={pages} next={data.next}>
            {data.total !== undefined && formats.count(t.general.total, data.total)}
          </Pagination>
        </>
      )}
    </Page>
  )
}

interface KindSelectProps {
  readonly value: string
  readonly onChange: (kind: string) => void
}

function KindSelect({ value, onChange }: KindSelectProps) {
  const { t } = useTexts()
  const kinds = Object.entries(t.trash.kinds).map(([kind, text]) => ({ value: kind, text }))
  const options = [{ value: '', text: t.trash.all }, ...kinds]
  return (
    <Select name="kind" label={t.trash.kind} value={value} onChange={onChange} options={options} />
  )
}

interface Asked {
  readonly cursor: string | undefined
  readonly kind: string
  readonly signal: AbortSignal
}

async function searchTrash(api: Api, { cursor, kind, signal }: Asked) {
  const search = kind === '' ? {} : { qry: JSON.stringify({ object: kind }) }
  const query = { ...pageQuery({ sort: { by: 'date_added', isDown: true }, cursor }), ...search }
  const { trash, page } = await dataOf(api.GET('/trash', { signal, params: { query } }))
  // Without `fields`, the response has all fields.
  return { items: trash as readonly Item[], next: page.next, total: page.total ?? undefined }
}

function nameIn(t: Speech['t'], { name, object_id: id }: Item): string {
  return name ?? fill(t.trash.entry, { id })
}

type Actions = ReturnType<typeof useTrashActions>

function columnsIn(t: Speech['t'], actions: Actions): readonly Column<Item>[] {
  return [
    {
      id: 'name',
      head: t.trash.name,
      cell: (item) => <bdi class="clip">{nameIn(t, item)}</bdi>,
    },
    { id: 'object', head: t.trash.kind, cell: ({ object }) => t.trash.kinds[object] },
    { id: 'path', head: t.trash.path, cell: ({ path }) => <bdi class="clip">{path ?? ''}</bdi> },
    {
      id: 'deleted_by',
      head: t.trash.by,
      cell: ({ deleted_by: by }) => <Person name={by ?? ''} />,
    },
    {
      id: 'date_added',
      head: t.trash.when,
      cell: ({ date_added: date }) => <DateTime date={date} isRelative />,
    },
    { id: 'count', head: t.trash.count, cell: ({ count }) => count, isNumber: true },
    { id: 'size', head: t.trash.size, cell: ({ size }) => <Bytes count={size} />, isNumber: true },
    {
      id: 'actions',
      head: <span class="unseen">{t.trash.actions}</span>,
      isActions: true,
      cell: (item) => <RowActions item={item} actions={actions} />,
    },
  ]
}

interface RowActionsProps {
  readonly item: Item
  readonly actions: Actions
}

function RowActions({ item, actions }: RowActionsProps) {
  const { t } = useTexts()
  const name = nameIn(t, item)
  if (item.state !== 'complete') return <span class="quiet">{t.trash.busy}</span>
  return (
    <span class="table-line">
      <Button
        kind="quiet"
        icon="history"
        label={fill(t.trash.restoreName, { name })}
        onPress={() => void actions.restore(item, name)}
      />
      <Button
        kind="quiet"
        icon="trash"
        label={fill(t.trash.removeName, { name })}
        onPress={() => void actions.remove(item, name)}
      />
    </span>
  )
}

function useTrashActions(reload: () => void) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const confirm = useConfirm()

  async function run(work: () => Promise<string | undefined>): Promise<void> {
    try {
      const text = await work()
      if (text !== undefined) toast({ text })
    } catch (error) {
      toast.problem(error)
    }
    reload()
  }

  return {
    restore: ({ trash_id: id }: Item, name: string): Promise<void> =>
      run(async () => {
        await restoreItem(api, id)
        return fill(t.trash.restored, { name })
      }),
    remove: ({ trash_id: id }: Item, name: string): Promise<void> =>
      run(async () => {
        const title = fill(t.trash.removeName, { name })
        const question = { title, text: t.trash.removeText, action: t.trash.remove }
        if (!(await confirm({ ...question, isDangerous: true }))) return undefined
        await dataOf(api.DELETE('/trash/{id}', { params: { path: { id } } }))
        return fill(t.trash.removed, { name })
      }),
    empty: (): Promise<void> =>
      run(async () => {
        const dry = await dataOf(api.POST('/trash/bulk_delete', { body: { dry_run: true } }))
        const title = formats.count(t.trash.emptyTitle, dry.count)
        const question = { title, text: t.trash.removeText, action: t.trash.emptyNow }
        if (dry.through === null || !(await confirm({ ...question, isDangerous: true })))
          return undefined
        // Items that were deleted since the count stay.
        const { count } = await dataOf(
          api.POST('/trash/bulk_delete', { body: { through: dry.through } }),
        )
        return formats.count(t.trash.emptied, count)
      }),
  }
}
