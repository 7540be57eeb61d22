// Lists all datatables and calendars, and creates new ones; /data?new=datatable is a page of its own.

import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useMe } from '../../client/client-context.ts'
import { maySomewhere } from '../../client/me.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { useActions } from '../../ui/actions.tsx'
import { SearchField } from '../content/search-field.tsx'
import { ModuleList } from './module-list.tsx'
import type { ModuleKind } from './modules.ts'
import { NewCalendar } from './new-calendar.tsx'
import { NewTable } from './new-table.tsx'

const NEW = 'new'

export function DataPage() {
  const { query } = useLocation()
  return query[NEW] === 'datatable' ? <NewTable /> : <AllData />
}

const PAUSE_MS = 200
const KINDS: readonly ModuleKind[] = ['datatable', 'calendar']

function AllData() {
  const { t } = useTexts()
  const { route } = useLocation()
  const me = useMe()
  const { typed, setTyped, text } = useSearchText()
  const [totals, setTotals] = useState<Readonly<Partial<Record<ModuleKind, number>>>>({})
  const [isMaking, setIsMaking] = useState(false)
  const mayMake = me !== undefined && maySomewhere(me, 'create')
  const newTable = pathOf(`/data?${NEW}=datatable`)
  const toNew = { id: 'new-table', text: t.acts.newTable, icon: 'plus', keys: 'n' } as const
  useActions(mayMake ? [{ ...toNew, run: () => route(newTable) }] : [])
  const isNothing = KINDS.every((kind) => totals[kind] === 0)

  return (
    <Page
      title={t.titles.data}
      intro={t.data.intro}
      isWide
      actions={
        mayMake && (
          <>
            <Button icon="calendar" onPress={() => setIsMaking(true)}>
              {t.data.makeCalendar}
            </Button>
            <PrimaryLink href={newTable}>{t.acts.newTable}</PrimaryLink>
          </>
        )
      }
    >
      {(!isNothing || text !== '') && (
        <div class="data-search" role="search">
          <SearchField label={t.data.find} value={typed} onChange={setTyped} />
        </div>
      )}
      {KINDS.map((kind) => (
        <ModuleList
          key={kind}
          kind={kind}
          text={text}
          onFound={(total) => setTotals((before) => ({ ...before, [kind]: total }))}
        />
      ))}
      {isNothing && text !== '' && <NotFound onAll={() => setTyped('')} />}
      {isNothing && text === '' && (
        <EmptyState
          icon="table"
          title={t.data.empty}
          action={mayMake && <PrimaryLink href={newTable}>{t.acts.newTable}</PrimaryLink>}
        >
          {t.data.emptyText}
        </EmptyState>
      )}
      {isMaking && <NewCalendar onClose={() => setIsMaking(false)} />}
    </Page>
  )
}

/** Debounces the search text. */
function useSearchText() {
  const [typed, setTyped] = useState('')
  const [text, setText] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setText(typed.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return { typed, setTyped, text }
}

function NotFound({ onAll }: { readonly onAll: () => void }) {
  const { t } = useTexts()
  return (
    <EmptyState
      icon="search"
      title={t.data.notFound}
      action={<Button onPress={onAll}>{t.keys.showAll}</Button>}
    >
      {t.data.notFoundText}
    </EmptyState>
  )
}

function PrimaryLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <ButtonLink kind="primary" icon="plus" href={href}>
      {children}
    </ButtonLink>
  )
}
