// "Why was this denied" from the key list, with a field for the key.

import { useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { type Api, recordOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ProblemNotice } from '../../ui/notice.tsx'
import { RecordPicker } from '../../ui/record-picker.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { Asker } from './why-answer.tsx'
import { Why } from './why-denied.tsx'

export interface WhyDialogProps {
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
