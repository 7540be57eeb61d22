// What can be done with all keys that are selected. Shutting out can be undone; deleting is asked about.

import { useState } from 'preact/hooks'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Key } from './key.ts'

export interface SelectedKeysProps {
  readonly keys: readonly Key[]
  readonly selected: ReadonlySet<number>
  readonly onSelect: (selected: ReadonlySet<number>) => void
  readonly onChanged: () => void
}

type Status = 'active' | 'inactive'

export function SelectedKeys(props: SelectedKeysProps) {
  const { t, formats } = useTexts()
  const { chosen, isBusy, setAll, removeAll } = useSelected(props)
  if (chosen.length === 0) return null
  const active = chosen.filter(({ status }) => status === 'active')
  const inactive = chosen.filter(({ status }) => status === 'inactive')
  return (
    <div
      class="selected"
      role="group"
      aria-label={formats.count(t.general.selected, chosen.length)}
    >
      <span class="selected-count">{formats.count(t.general.selected, chosen.length)}</span>
      {active.length > 0 && (
        <Button isBusy={isBusy} onPress={() => void setAll(active, 'inactive')}>
          {t.keys.deactivate}
        </Button>
      )}
      {inactive.length > 0 && (
        <Button isBusy={isBusy} onPress={() => void setAll(inactive, 'active')}>
          {t.keys.activate}
        </Button>
      )}
      <Button kind="danger" icon="trash" isBusy={isBusy} onPress={() => void removeAll()}>
        {t.keys.delete}
      </Button>
    </div>
  )
}

function useSelected({ keys, selected, onSelect, onChanged }: SelectedKeysProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const chosen = keys.filter(({ api_key_id: id }) => selected.has(id))

  /** Those with which it did not work stay selected, and the first reason is told. */
  async function each(of: readonly Key[], work: (key: Key) => Promise<unknown>) {
    setIsBusy(true)
    const results = await Promise.allSettled(of.map(work))
    const failed = of.filter((_, at) => results[at]?.status === 'rejected')
    const reason = results.find((result) => result.status === 'rejected')
    onSelect(new Set(failed.map(({ api_key_id: id }) => id)))
    setIsBusy(false)
    onChanged()
    if (reason !== undefined) toast.problem(reason.reason)
    return of.filter((key) => !failed.includes(key))
  }

  async function setAll(of: readonly Key[], status: Status): Promise<void> {
    const done = await each(of, (key) => setStatus(api, key.api_key_id, status))
    if (done.length === 0) return
    const texts = status === 'active' ? t.keys.activatedCount : t.keys.deactivatedCount
    const back = status === 'active' ? 'inactive' : 'active'
    toast({
      text: formats.count(texts, done.length),
      action: { text: t.general.undo, onPress: () => void setAll(done, back) },
    })
  }

  async function removeAll(): Promise<void> {
    const isSure = await confirm({
      title: formats.count(t.keys.deleteTitle, chosen.length),
      text: t.keys.deleteText,
      action: t.keys.delete,
      isDangerous: true,
    })
    if (!isSure) return
    const done = await each(chosen, ({ api_key_id: id }) =>
      dataOf(api.DELETE('/api_key/{id}', { params: { path: { id } } })),
    )
    if (done.length > 0) toast({ text: formats.count(t.keys.deletedCount, done.length) })
  }

  return { chosen, isBusy, setAll, removeAll }
}

function setStatus(api: Api, id: number, status: Status): Promise<Key> {
  return dataOf(api.PATCH('/api_key/{id}', { params: { path: { id } }, body: { status } }))
}
