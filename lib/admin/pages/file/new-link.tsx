// The dialog that makes a link to a file.

import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { Grant } from '../../../shared/grants.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { FileRecord } from '../content/records.ts'

/** A state, or the number of a version. */
type Target = 'live' | 'stage' | number

/** The versions that the person may show to others. */
export function targetsFor(
  file: FileRecord,
  grants: ReadonlySet<Grant>,
  shown: number,
): readonly Target[] {
  const mayStage = (['modify', 'stage', 'publish'] as const).some((grant) => grants.has(grant))
  const numbers = new Set([shown, file.version])
  return [
    ...(file.live_version !== null && grants.has('view') ? (['live'] as const) : []),
    ...(file.staged_version !== null && mayStage ? (['stage'] as const) : []),
    ...(grants.has('modify') ? numbers : []),
  ]
}

const LIVES = ['1h', '1d', '7d', '30d', '90d'] as const

interface NewLinkProps {
  readonly file: FileRecord
  readonly targets: readonly Target[]
  readonly onClose: () => void
  readonly onDone: () => void
}

export function NewLink({ file, targets, onClose, onDone }: NewLinkProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { asset_file_id: id } = file
  const texts = t.file.links
  const options = targets.map((target) => ({
    value: String(target),
    text:
      typeof target === 'number'
        ? fill(t.file.version, { version: formats.number(target) })
        : texts[target],
  }))
  return (
    <Dialog title={texts.make} onClose={onClose}>
      <Form
        name={`new-link-${id}`}
        initial={{ target: String(targets[0]), expires_in: '7d', note: '' }}
        submit={texts.makeIt}
        onCancel={onClose}
        isForgotten
        onSubmit={async ({ target, expires_in, note }, { once }) => {
          const state: 'live' | 'stage' | undefined =
            target === 'live' || target === 'stage' ? target : undefined
          const body = {
            ...(state === undefined ? { version: Number(target) } : { state }),
            ...(note.trim() !== '' && { note: note.trim() }),
            expires_in,
          }
          const params = { path: { id }, header: once(body) }
          await dataOf(api.POST('/asset_file/{id}/link', { params, body }))
          onDone()
        }}
      >
        <Select name="target" label={texts.target} options={options} />
        <Select
          name="expires_in"
          label={texts.expiresIn}
          options={LIVES.map((value) => ({ value, text: texts.lives[value] }))}
        />
        <TextInput
          name="note"
          label={texts.note}
          hint={texts.noteHint}
          maxLength={255}
          isOptional
        />
      </Form>
    </Dialog>
  )
}
