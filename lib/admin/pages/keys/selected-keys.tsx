// Actions for all selected keys. Deactivating can be undone; deleting asks for confirmation.

import { useState } from 'preact/hooks'
import { type Api, dataOf, recordOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { changedSince } from '../../client/problem.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { FloatingBar } from '../../ui/floating-bar.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
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
    <FloatingBar text={formats.count(t.general.selected, chosen.length)}>
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
      <Button icon="trash" isBusy={isBusy} onPress={() => void removeAll()}>
        {t.keys.revoke}
      </Button>
    </FloatingBar>
  )
}

function useSelected({ keys, selected, onSelect, onChanged }: SelectedKeysProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const confirm = useConfirm()
  const toast = useToast()
  const [isBusy, setIsBusy] = useState(false)
  const chosen = keys.filter(({ api_key_id: id }) => selected.has(id))

  /** Keys whose action failed stay selected, and the first error is shown. */
  async function each(of: readonly Key[], work: (seen: Seen) => Promise<Key>) {
    setIsBusy(true)
    const results = await Promise.allSettled(of.map(async (key) => work(await readSame(api, key))))
    const failed = of.filter((_, at) => results[at]?.status === 'rejected')
    const reason = results.find((result) => result.status === 'rejected')
    onSelect(new Set(failed.map(({ api_key_id: id }) => id)))
    setIsBusy(false)
    onChanged()
    if (reason !== undefined) toast.problem(reason.reason)
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  }

  async function setAll(of: readonly Key[], status: Status): Promise<void> {
    const done = await each(of, (seen) => setStatus(api, seen, status))
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
      action: t.keys.revoke,
      isDangerous: true,
    })
    if (!isSure) return
    const done = await each(chosen, async ({ record, etag }) => {
      const params = { path: { id: record.api_key_id }, header: { 'If-Match': etag } }
      await dataOf(api.DELETE('/api_key/{id}', { params }))
      return record
    })
    if (done.length > 0) toast({ text: formats.count(t.keys.deletedCount, done.length) })
  }

  return { chosen, isBusy, setAll, removeAll }
}

type Seen = Fetched<Key>

/** Throws precondition-failed if the key differs from the displayed row. */
async function readSame(api: Api, shown: Key): Promise<Seen> {
  const params = { path: { id: shown.api_key_id } }
  // Without `fields`, the response has all fields.
  const seen = (await recordOf(api.GET('/api_key/{id}', { params }))) as Seen
  if (seen.record.date_modified !== shown.date_modified) throw changedSince()
  return seen
}

/** Changes only the version that was read. */
function setStatus(api: Api, { record, etag }: Seen, status: Status): Promise<Key> {
  const params = { path: { id: record.api_key_id }, header: { 'If-Match': etag } }
  return dataOf(api.PATCH('/api_key/{id}', { params, body: { status } }))
}
