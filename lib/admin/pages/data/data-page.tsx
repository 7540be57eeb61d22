// Lists all datatables and calendars, and creates new ones; /data?new=datatable is a page of its own.

import { useLocation } from 'preact-iso/router'
import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { maySomewhere } from '../../client/me.ts'
import { allZones, OWN_ZONE } from '../../client/time-zones.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { Form } from '../../ui/form.tsx'
import { Page } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { SearchField } from '../content/search-field.tsx'
import { type ModuleKind, ModuleList } from './module-list.tsx'
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

/** Creates a calendar in a dialog over the list. Further settings are on the calendar page. */
function NewCalendar({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTexts()
  const api = useApi()
  const { route } = useLocation()

  return (
    <Dialog title={t.data.makeCalendar} onClose={onClose}>
      <Form
        name="new-calendar"
        initial={{ name: '', parent_category_id: '', time_zone: OWN_ZONE }}
        submit={t.data.makeCalendarSubmit}
        onSubmit={async ({ name, parent_category_id: folder, time_zone }, { once }) => {
          const body = {
            name,
            time_zone,
            ...(folder !== '' && { parent_category_id: Number(folder) }),
          }
          const params = { header: once(body) }
          const { calendar_id: id } = await dataOf(api.POST('/calendar', { body, params }))
          onClose()
          route(pathOf(`/calendars/${id}`))
        }}
      >
        <TextInput name="name" label={t.data.name} isRequired isFocused />
        <FolderPicker
          name="parent_category_id"
          label={t.data.folder}
          empty={t.data.usualFolder}
          isOptional
        />
        <Select
          name="time_zone"
          label={t.data.timeZone}
          hint={t.data.timeZoneHint}
          options={allZones().map((zone) => ({ value: zone, text: zone }))}
        />
      </Form>
    </Dialog>
  )
}
