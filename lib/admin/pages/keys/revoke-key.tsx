// Revokes a key, and optionally all keys that descend from it.

import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { Held } from '../../ui/use-edit.ts'
import type { Key } from './key.ts'

export interface RevokeKeyProps {
  readonly held: Held<Key>
  /** Whether it is the session of this page. */
  readonly isOwn: boolean
  readonly onRevoked: () => void
  readonly onClose: () => void
}

export function RevokeKey({ held, isOwn, onRevoked, onClose }: RevokeKeyProps) {
  const { t, formats } = useTexts()
  const api = useApi()
  const { api_key_id: id, name } = held.record
  const made = useRequest((signal) => countDescendants(api, id, signal), [id])
  const count = made.data ?? 0

  async function revoke({ cascade }: { readonly cascade: boolean }): Promise<void> {
    const params = { path: { id }, query: { cascade }, header: { 'If-Match': held.etag } }
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
        actions={<Button onPress={onClose}>{t.general.cancel}</Button>}
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
