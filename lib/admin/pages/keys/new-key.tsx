// Creates a key in a dialog over the list, then shows its secret.

import { useState } from 'preact/hooks'
import { type Grant, GRANTS } from '../../../shared/grants.ts'
import { API } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import type { Me } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { CodeLine } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { Filled } from '../../ui/filled.ts'
import { FolderPicker, RecordPicker } from '../../ui/record-picker.tsx'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { ExpiryField, GrantsField } from './key-fields.tsx'
import { ALL, bodyOf, type KeyValues, NEW_KEY } from './key.ts'
import { NewSecret } from './secret-dialogs.tsx'

interface NewKeyProps {
  /** Keys of any user, or only the user's own. */
  readonly isOfAll: boolean
  /** Prefilled values. */
  readonly first?: Partial<KeyValues> | undefined
  readonly onClose: () => void
  /** Called after the key was created. */
  readonly onMade: () => void
}

type NewValues = KeyValues & { readonly user_id: string }

interface Made {
  readonly name: string
  readonly secret: string
}

export function NewKey({ isOfAll, first, onClose, onMade }: NewKeyProps) {
  const { t } = useTexts()
  const api = useApi()
  const me = useMe()
  const offered = offeredTo(me, isOfAll)
  const [made, setMade] = useState<Made>()

  async function make({ user_id: user, ...values }: NewValues, { once, begunMs }: Filled) {
    requireGrants(values, t.keys.grantsNone)
    const body = {
      ...bodyOf(values, begunMs),
      name: values.name,
      ...(user !== '' && { user_id: Number(user) }),
    }
    const { name, secret } = await dataOf(
      api.POST('/api_key', { params: { header: once(body) }, body }),
    )
    onMade()
    setMade({ name, secret })
  }

  if (made !== undefined) {
    const title = fill(t.keys.madeTitle, { name: made.name })
    return <KeyMade title={title} secret={made.secret} onDone={onClose} />
  }
  return (
    <Dialog title={t.acts.newKey} onClose={onClose}>
      <Form
        name={nameOfForm({ isOfAll, first })}
        initial={{ ...firstValues(offered), ...first, user_id: '' }}
        submit={t.keys.makeSubmit}
        onSubmit={make}
      >
        <TextInput name="name" label={t.keys.name} hint={t.keys.nameHint} isRequired isFocused />
        {isOfAll && (
          <RecordPicker
            object="user"
            name="user_id"
            label={t.keys.user}
            hint={t.keys.userHint}
            empty={fill(t.keys.myself, { name: me?.user.name ?? '' })}
          />
        )}
        <GrantsField name="grants" offered={offered} />
        <FolderPicker
          name="asset_category_id"
          label={t.keys.folder}
          hint={t.keys.folderHint}
          isOptional
        />
        <ExpiryField name="date_expires" />
      </Form>
    </Dialog>
  )
}

/** A read-only key, unless its creator cannot grant this. */
function firstValues(offered: readonly Grant[]): KeyValues {
  return offered.includes('view') ? NEW_KEY : { ...NEW_KEY, grants: ALL }
}

/** Drafts of prefilled forms are stored separately. */
function nameOfForm({ isOfAll, first }: Pick<NewKeyProps, 'isOfAll' | 'first'>): string {
  const name = isOfAll ? 'new-key' : 'new-token'
  return first === undefined ? name : `${name}-${Object.values(first).join(' ')}`
}

/** Users can give grants that they hold in some folder; administrators can give all grants to other users. */
export function offeredTo(me: Me | undefined, isOfAll: boolean): readonly Grant[] {
  if (me === undefined || isOfAll) return GRANTS
  const held = new Set([...me.grants, ...me.asset_category.flatMap(({ grants }) => grants)])
  return GRANTS.filter((grant) => held.has(grant))
}

/** Rejects a key without grants, which the server would accept. */
export function requireGrants({ grants }: Partial<KeyValues>, text: string): void {
  if (grants === '') throw new InvalidFields({ grants: text })
}

interface KeyMadeProps {
  readonly title: string
  readonly secret: string
  readonly note?: string | undefined
  readonly onDone: () => void
}

/** Shows a new secret once, with a test command. */
export function KeyMade({ title, secret, note, onDone }: KeyMadeProps) {
  const { t } = useTexts()
  return (
    <NewSecret title={title} secret={secret} onDone={onDone}>
      {note !== undefined && <p>{note}</p>}
      <div class="key-try">
        <p class="field-label">{t.keys.tryOut}</p>
        <CodeLine
          label={t.keys.tryOut}
          text={`curl -H 'Authorization: Bearer ${secret}' ${API}/me`}
        />
      </div>
    </NewSecret>
  )
}
