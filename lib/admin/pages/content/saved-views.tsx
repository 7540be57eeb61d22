// The menu of saved views above a list. It opens views of this list, saves the shown search, and removes views. The server
// keeps the views of the user, so that every browser has them.
//
//   <SavedViews page="content" query="state=changed" onOpen={(query) => setView(viewOf(query))} />

import { useState } from 'preact/hooks'
import { MAX_SAVED_VIEWS, MAX_VIEW_QUERY } from '../../../shared/limits.ts'
import { type Api, dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { paths } from '../../client/interface.d.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useRequest } from '../../ui/use-request.ts'

type Body = paths['/me/views']['get']['responses'][200]['content']['application/json']
type SavedView = Body['views'][number]
type Change = (views: readonly SavedView[]) => readonly SavedView[]

export interface SavedViewsProps {
  /** `content`, or `data/12`. */
  readonly page: string
  /** The shown search as the query of the address, without the question mark. */
  readonly query: string
  readonly onOpen: (query: Readonly<Record<string, string>>) => void
}

export function SavedViews({ page, query, onOpen }: SavedViewsProps) {
  const { t } = useTexts()
  const api = useApi()
  const [dialog, setDialog] = useState<'save' | 'remove'>()
  const saved = useRequest((signal) => dataOf(api.GET('/me/views', { signal })), [])
  const all = saved.data?.views ?? []
  const own = all.filter((view) => view.page === page)
  const change = async (make: Change): Promise<void> => saved.set(await changeViews(api, make))
  const close = (): void => setDialog(undefined)
  const items: readonly MenuItem[] = [
    ...own
      .toSorted((left, right) => left.name.localeCompare(right.name))
      .map((view) => ({
        text: view.name,
        isChosen: view.query === query,
        onChoose: () => onOpen(Object.fromEntries(new URLSearchParams(view.query))),
      })),
    ...(saved.error === undefined
      ? []
      : ([{ text: t.views.reload, icon: 'repeat', onChoose: saved.reload }] as const)),
    { text: t.views.save, icon: 'plus', onChoose: () => setDialog('save') },
    ...(own.length === 0
      ? []
      : ([
          { text: t.views.removeOne, icon: 'trash', onChoose: () => setDialog('remove') },
        ] as const)),
  ]
  const content = (
    <>
      <Icon name="eye" />
      <span>{t.views.button}</span>
    </>
  )

  return (
    <div class="saved-views">
      <Menu button={{ class: 'button', content }} items={items} />
      {dialog === 'save' && <SaveView view={{ page, query }} change={change} onClose={close} />}
      {dialog === 'remove' && <RemoveViews views={own} change={change} onClose={close} />}
    </div>
  )
}

/** Changes the newest list. Another browser may have changed the list since this page read it. */
async function changeViews(api: Api, make: Change): Promise<Body> {
  const { record, etag } = await recordOf(api.GET('/me/views'))
  const views = [...make(record.views)]
  const params = { header: { 'If-Match': etag } }
  return dataOf(api.POST('/me/views', { params, body: { views } }))
}

interface DialogProps {
  readonly change: (make: Change) => Promise<void>
  readonly onClose: () => void
}

interface SaveViewProps extends DialogProps {
  readonly view: Omit<SavedView, 'name'>
}

function SaveView({ view, change, onClose }: SaveViewProps) {
  const { t, formats } = useTexts()
  const toast = useToast()

  function withView(views: readonly SavedView[], name: string): readonly SavedView[] {
    const isTaken = views.some((each) => each.page === view.page && isSameName(each.name, name))
    if (isTaken) throw new InvalidFields({ name: t.faults.taken })
    if (views.length >= MAX_SAVED_VIEWS)
      throw new InvalidFields({
        name: fill(t.views.tooMany, { count: formats.number(MAX_SAVED_VIEWS) }),
      })
    if (view.query.length > MAX_VIEW_QUERY) throw new InvalidFields({ name: t.views.tooLong })
    return [{ name, ...view }, ...views]
  }

  return (
    <Dialog title={t.views.save} onClose={onClose}>
      <Form
        name={`view-${view.page}`}
        initial={{ name: '' }}
        submit={t.general.save}
        pointers={{ '/views/0/name': 'name' }}
        onSubmit={async ({ name }) => {
          await change((views) => withView(views, name))
          toast({ text: fill(t.views.saved, { name }) })
          onClose()
        }}
      >
        <TextInput name="name" label={t.views.name} hint={t.views.hint} isRequired isFocused />
      </Form>
    </Dialog>
  )
}

function isSameName(left: string, right: string): boolean {
  return left.normalize('NFC').toLowerCase() === right.normalize('NFC').toLowerCase()
}

interface RemoveViewsProps extends DialogProps {
  readonly views: readonly SavedView[]
}

function RemoveViews({ views, change, onClose }: RemoveViewsProps) {
  const { t } = useTexts()
  const toast = useToast()
  const run = (make: Change): void => void change(make).catch(toast.problem)
  const remove = async (gone: SavedView): Promise<void> => {
    await change((all) => all.filter((each) => !isSame(each, gone)))
    const undo = { text: t.general.undo, onPress: () => run((all) => [gone, ...all]) }
    toast({ text: fill(t.views.removed, { name: gone.name }), action: undo })
    if (views.length === 1) onClose()
  }
  return (
    <Dialog title={t.views.removeTitle} onClose={onClose}>
      <ul class="saved-view-list">
        {views.map((view) => (
          <li key={view.name}>
            <bdi>{view.name}</bdi>
            <Button
              kind="quiet"
              icon="trash"
              label={fill(t.views.remove, { name: view.name })}
              onPress={() => void remove(view).catch(toast.problem)}
            />
          </li>
        ))}
      </ul>
      <div class="dialog-actions">
        <Button kind="primary" onPress={onClose}>
          {t.general.close}
        </Button>
      </div>
    </Dialog>
  )
}

function isSame(left: SavedView, right: SavedView): boolean {
  return left.page === right.page && left.name === right.name
}
