// Dialogs of a key: revoke it, and optionally all keys that descend from it; or create a new secret.

import { useState } from 'preact/hooks'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import type { Fetched } from '../../ui/use-edit.ts'
import { useRequest } from '../../ui/use-request.ts'
import type { Key } from './key.ts'
import { KeyMade } from './new-key.tsx'
import { type Overlap, RotateSecret } from './secret-dialogs.tsx'

interface RevokeKeyProps {
  readonly fetched: Fetched<Key>
  /** Whether it is the session of this page. */
  readonly isOwn: boolean
  readonly onRevoked: () => void
  readonly onClose: () => void
}

export function RevokeKey({ fetched, isOwn, onRevoked, onClose }: RevokeKeyProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { api_key_id: id, name } = fetched.record
  const made = useRequest((signal) => countDescendants(api, id, signal), [id])
  const count = made.data ?? 0

  async function revoke({ cascade }: { readonly cascade: boolean }): Promise<void> {
    const params = { path: { id }, query: { cascade }, header: { 'If-Match': fetched.etag } }
    await dataOf(api.DELETE('/api_key/{id}', { params }))
    onRevoked()
  }

  return (
    <Dialog title={fill(t.keys.revokeTitle, { name })} onClose={onClose}>
      <p>{isOwn ? t.keys.revokeOwn : t.keys.revokeText}</p>
      <Form
        name={`revoke-${id}`}
        initial={{ cascade: false }}
        submit={t.keys.revoke}
        onSubmit={revoke}
        isDangerous
        isForgotten
      >
        {/* Reserves the height, so that the button does not move. */}
        <div class="descendants">
          {count > 0 && (
            <Checkbox
              name="cascade"
              label={formats.count(t.keys.cascade, count)}
              hint={t.keys.cascadeHint}
            />
          )}
          {made.data === 0 && <p class="quiet">{t.keys.cascadeNone}</p>}
        </div>
      </Form>
    </Dialog>
  )
}

/** Counting stops here. */
const MOST = 1_000

/** Counts generation by generation; invisible keys are not counted. */
async function countDescendants(api: Api, id: number, signal: AbortSignal): Promise<number> {
  const known = new Set<number>([id])
  let makers: readonly number[] = [id]
  while (makers.length > 0 && known.size <= MOST) {
    const qry = JSON.stringify({ made_by: { $in: makers } })
    const query = { qry, fields: 'api_key_id', length: MOST }
    const found = await dataOf(api.GET('/api_key', { signal, params: { query } }))
    const ids = found.api_key.map((key) => key.api_key_id ?? 0)
    makers = ids.filter((each) => !known.has(each))
    for (const each of makers) known.add(each)
  }
  return known.size - 1
}

interface RotateKeyProps {
  readonly fetched: Fetched<Key>
  readonly onRotated: () => void
  readonly onClose: () => void
}

export function RotateKey({ fetched, onRotated, onClose }: RotateKeyProps) {
  const { t } = useTexts()
  const api = useApi()
  const { api_key_id: id, name } = fetched.record
  const [secret, setSecret] = useState<string>()
  const [kept, setKept] = useState<Overlap>('0s')

  if (secret !== undefined) {
    return (
      <KeyMade
        title={fill(t.keys.rotatedTitle, { name })}
        secret={secret}
        note={t.keys.rotatedNotes[kept]}
        onDone={onClose}
      />
    )
  }
  return (
    <RotateSecret
      name={`rotate-${id}`}
      title={fill(t.keys.rotateTitle, { name })}
      text={t.keys.rotateText}
      label={t.keys.keepOld}
      onClose={onClose}
      onRotate={async ({ keep_old: overlap }, { once }) => {
        const body = { keep_old: overlap }
        const params = { path: { id }, header: { 'If-Match': fetched.etag, ...once(body) } }
        const made = await dataOf(api.POST('/api_key/{id}/rotate', { params, body }))
        setKept(overlap)
        setSecret(made.secret)
        onRotated()
      }}
    />
  )
}
