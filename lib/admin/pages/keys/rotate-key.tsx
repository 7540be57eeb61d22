// Creates a new secret for a key. The old secret can stay valid for a while, so that programs can switch.

import { useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import type { Held } from '../../ui/use-edit.ts'
import type { Key } from './key.ts'
import { KeyMade } from './key-made.tsx'

export interface RotateKeyProps {
  readonly held: Held<Key>
  readonly onRotated: () => void
  readonly onClose: () => void
}

const OVERLAPS = ['0s', '1h', '1d', '7d'] as const

export function RotateKey({ held, onRotated, onClose }: RotateKeyProps) {
  const { t } = useTexts()
  const api = useApi()
  const { api_key_id: id, name } = held.record
  const [secret, setSecret] = useState<string>()
  const [kept, setKept] = useState('')

  async function rotate(values: { readonly keep_old: string }, { once }: Filled): Promise<void> {
    const { keep_old } = values
    const body = { keep_old }
    const params = { path: { id }, header: { 'If-Match': held.etag, ...once(body) } }
    const made = await dataOf(api.POST('/api_key/{id}/rotate', { params, body }))
    setKept(keep_old)
    setSecret(made.secret)
    onRotated()
  }

  if (secret !== undefined) {
    const overlap = OVERLAPS.find((each) => each === kept) ?? '0s'
    return (
      <KeyMade
        title={fill(t.keys.rotatedTitle, { name })}
        secret={secret}
        note={t.keys.rotatedNotes[overlap]}
        onDone={onClose}
      />
    )
  }
  return (
    <Dialog title={fill(t.keys.rotateTitle, { name })} onClose={onClose}>
      <p>{t.keys.rotateText}</p>
      <Form
        name={`rotate-${id}`}
        initial={{ keep_old: '1d' }}
        submit={t.keys.rotateSubmit}
        onSubmit={rotate}
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
        isForgotten
      >
        <Select
          name="keep_old"
          label={t.keys.keepOld}
          options={OVERLAPS.map((value) => ({ value, text: t.keys.overlaps[value] }))}
        />
      </Form>
    </Dialog>
  )
}
