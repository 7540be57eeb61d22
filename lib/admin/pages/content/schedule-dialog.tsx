// The dialog that sets the times at which a file is published, unpublished or staged.

import { useState } from 'preact/hooks'
import type { Grant } from '../../../shared/grants.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useToast } from '../../ui/toast.tsx'
import { instantsOf, localOf } from './local-time.ts'
import type { FileRecord } from './records.ts'

const TIMES = ['publish_at', 'unpublish_at', 'stage_at'] as const

type TimeName = (typeof TIMES)[number]

interface ScheduleDialogProps {
  readonly file: FileRecord
  readonly may: (grant: Grant) => boolean
  readonly onClose: () => void
  readonly onDone: () => void
}

export function ScheduleDialog({ file, may, onClose, onDone }: ScheduleDialogProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const toast = useToast()
  const [isTwice, setIsTwice] = useState(false)
  const { asset_file_id: id, version, publish_version: scheduled } = file
  const shown = TIMES.filter((name) => may(name === 'stage_at' ? 'stage' : 'publish'))
  const isOlder = scheduled !== null && scheduled < version && may('publish')
  const instantOf = (name: TimeName, local: string, which: string): string => {
    const [first, second] = instantsOf(local)
    if (first === undefined) throw new InvalidFields({ [name]: t.schedule.skipped })
    if (second === undefined) return first
    setIsTwice(true)
    if (!isTwice) throw new InvalidFields({ [name]: t.schedule.twice })
    return which === 'second' ? second : first
  }

  return (
    <Dialog title={fill(t.schedule.title, { name: file.name })} onClose={onClose}>
      <Form
        name={`schedule-${id}`}
        initial={{
          ...Object.fromEntries(shown.map((name) => [name, localOf(file[name])])),
          newest: false,
          which: 'first',
        }}
        submit={t.schedule.save}
        onCancel={onClose}
        isForgotten
        onSubmit={async (values: Readonly<Record<string, string | boolean>>) => {
          const body: Partial<Record<TimeName, string | null>> = {}
          for (const name of shown) {
            const local = String(values[name] ?? '')
            const isRenewed = name === 'publish_at' && values['newest'] === true && local !== ''
            if (local === localOf(file[name]) && !isRenewed) continue
            body[name] = local === '' ? null : instantOf(name, local, String(values['which']))
          }
          await dataOf(api.PATCH('/asset_file/{id}', { params: { path: { id } }, body }))
          onClose()
          toast({ text: t.schedule.saved })
          onDone()
        }}
      >
        <p class="quiet">{fill(t.schedule.times, { zone: OWN_ZONE })}</p>
        {shown.map((name) => (
          <TextInput
            key={name}
            name={name}
            label={t.schedule[name]}
            type="datetime-local"
            isOptional
          />
        ))}
        {isTwice && (
          <Select
            name="which"
            label={t.schedule.which}
            options={(['first', 'second'] as const).map((value) => ({
              value,
              text: t.schedule[value],
            }))}
          />
        )}
        {isOlder && (
          <>
            <Notice kind="info">
              {fill(t.schedule.older, { version: formats.number(scheduled) })}
            </Notice>
            <Checkbox name="newest" label={t.schedule.newest} />
          </>
        )}
      </Form>
    </Dialog>
  )
}
