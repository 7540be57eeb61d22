// "Why was this denied": asks the server about a key or user, an object and an action, and shows the answer in words.

import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, dataOf, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import type { operations } from '../../client/interface.d.ts'
import { mayEverywhere } from '../../client/me.ts'
import type { Searched } from '../../client/search.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useActions } from '../../ui/actions.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { Section } from '../../ui/page.tsx'
import { RecordPicker } from '../../ui/record-picker.tsx'
import { Select } from '../../ui/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import { pathsOfFolders } from './key-search.ts'
import { type Access, type Asker, WhyAnswer } from './why-answer.tsx'

type Query = NonNullable<operations['read_access']['parameters']['query']>

type Action = NonNullable<Query['action']>

/** Actions for each object type, the most common first. */
const ACTIONS = {
  asset_file: ['publish', 'read', 'update', 'create', 'delete', 'stage', 'unpublish', 'unstage'],
  asset_category: ['read', 'update', 'create', 'delete'],
  datatable: ['read', 'update', 'create', 'delete'],
  calendar: ['read', 'update', 'create', 'delete'],
  user: ['read', 'update', 'delete'],
  api_key: ['read', 'update', 'delete', 'rotate'],
} as const satisfies Readonly<Record<Searched, readonly Action[]>>

type Asked = keyof typeof ACTIONS

const IN_FOLDERS: readonly Asked[] = ['asset_file', 'asset_category', 'datatable', 'calendar']

/** Object types with actions that only administrators may do. */
const OF_SITE: readonly Asked[] = ['user', 'api_key']

interface Question {
  readonly object: Asked
  readonly action: Action
  readonly id: string
}

export function WhyDenied({ of }: { readonly of: Asker }) {
  const { t } = useTexts()
  return (
    <div id={WHY}>
      <Section title={t.access.title}>
        <p class="quiet">{of.kind === 'key' ? t.access.introKey : t.access.introUser}</p>
        <Why of={of} />
      </Section>
    </div>
  )
}

const WHY = 'why'

/** Links down to this section on a long page. */
export function ToWhy() {
  const { t } = useTexts()
  const show = (): void => {
    const place = document.getElementById(WHY)
    place?.scrollIntoView()
    place?.querySelector('select')?.focus()
  }
  useActions([{ id: 'why-denied', text: t.access.title, icon: 'info', run: show }])
  return (
    <Button icon="info" onPress={show}>
      {t.access.title}
    </Button>
  )
}

function Why({ of }: { readonly of: Asker }) {
  const [asked, setAsked] = useState<Question>({ object: 'asset_file', action: 'publish', id: '' })
  return (
    <div class="why">
      <Asking asked={asked} onAsk={setAsked} />
      {asked.id !== '' && <Answer of={of} asked={asked} />}
    </div>
  )
}

interface AskingProps {
  readonly asked: Question
  readonly onAsk: (asked: Question) => void
}

function Asking({ asked, onAsk }: AskingProps) {
  const { t } = useTexts()
  const me = useMe()
  const { object, action, id } = asked
  const isAdmin = me !== undefined && mayEverywhere(me, 'admin')
  // The object does not exist yet, so the form asks for its folder.
  const isIn = action === 'create'

  function askAbout(next: Asked): void {
    const known: readonly Action[] = ACTIONS[next]
    const kept = known.find((each) => each === action) ?? 'read'
    const isSame = kept === 'create' || next === object
    onAsk({ object: next, action: kept, id: isSame ? id : '' })
  }

  return (
    <div class="why-asked">
      <Select
        name="why-object"
        label={t.access.object}
        value={object}
        onChange={(next) => askAbout(OBJECTS.find((each) => each === next) ?? 'asset_file')}
        options={[...IN_FOLDERS, ...(isAdmin ? OF_SITE : [])].map((each) => ({
          value: each,
          text: t.access.objects[each],
        }))}
      />
      <Select
        name="why-action"
        label={t.access.action}
        value={action}
        onChange={(next) => {
          const known: readonly Action[] = ACTIONS[object]
          const chosen = known.find((each) => each === next) ?? 'read'
          onAsk({ ...asked, action: chosen, id: isIn === (chosen === 'create') ? id : '' })
        }}
        options={ACTIONS[object].map((each) => ({ value: each, text: t.access.actions[each] }))}
      />
      <RecordPicker
        key={isIn ? 'create' : object}
        object={isIn ? 'asset_category' : object}
        name="why-id"
        label={isIn ? t.access.inFolder : t.access.which}
        empty={t.access.choose}
        value={id}
        onChange={(next) => onAsk({ ...asked, id: next })}
      />
    </div>
  )
}

const OBJECTS: readonly Asked[] = [...IN_FOLDERS, ...OF_SITE]

function Answer({ of, asked }: { readonly of: Asker; readonly asked: Question }) {
  const api = useApi()
  const { object, action } = asked
  const { kind, id } = of
  const { data, error, reload } = useRequest<Access>(
    async (signal) => {
      const query = {
        ...(kind === 'key' ? { api_key_id: id } : { user_id: id }),
        object,
        action,
        id: Number(asked.id),
      }
      const access = await dataOf(api.GET('/access', { signal, params: { query } }))
      const ids = access.because.map(({ asset_category_id: folder }) => folder)
      return { ...access, folders: await pathsOfFolders(api, ids, signal) }
    },
    // Asks again after the key was changed.
    [of.etag, id, object, action, asked.id],
  )
  if (error !== undefined) return <ProblemNotice error={error} onRetry={reload} />
  return data === undefined ? <Skeleton lines={2} /> : <WhyAnswer of={of} access={data} />
}

/** "Why was this denied" from the key list, with a field for the key. */
interface WhyDialogProps {
  /** Base path of key pages. */
  readonly base: string
  readonly onClose: () => void
}

export function WhyDialog({ base, onClose }: WhyDialogProps) {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const [chosen, setChosen] = useState('')
  const { data, error, reload } = useRequest<Asker | undefined>(
    async (signal) => (chosen === '' ? undefined : readAsker(api, Number(chosen), signal)),
    [chosen],
  )
  if (me === undefined) return null
  const { user, api_key: key } = me
  const own: Asker = {
    kind: 'key',
    id: key.api_key_id,
    name: user.name,
    userId: user.user_id,
    etag: '',
  }
  const asker = chosen === '' ? own : data
  const of = asker && { ...asker, page: pathOf(`${base}/${asker.id}`) }
  return (
    <Dialog title={t.access.title} onClose={onClose}>
      <p class="quiet">{t.access.introWho}</p>
      <RecordPicker
        object="api_key"
        name="why-who"
        label={t.access.who}
        empty={fill(t.keys.myself, { name: user.name })}
        value={chosen}
        onChange={setChosen}
      />
      {error !== undefined && <ProblemNotice error={error} onRetry={reload} />}
      {of !== undefined && <Why of={of} />}
    </Dialog>
  )
}

async function readAsker(api: Api, id: number, signal: AbortSignal): Promise<Asker> {
  const { record, etag } = await recordOf(
    api.GET('/api_key/{id}', { signal, params: { path: { id } } }),
  )
  return { kind: 'key', id, name: record.name ?? '', userId: record.user_id ?? 0, etag }
}
