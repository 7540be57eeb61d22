// The fields of a new or existing webhook.

import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../../../shared/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { InvalidFields } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { ChoiceField } from './choice-field.tsx'
import type { WebhookValues } from './webhook.tsx'

export function WebhookFields({ isNew }: { readonly isNew?: boolean }) {
  const { t } = useTexts()
  const { objects, actions } = t.webhooks
  return (
    <>
      <TextInput
        name="name"
        label={t.webhooks.name}
        hint={t.webhooks.nameHint}
        isRequired
        isFocused={isNew === true}
      />
      <TextInput
        name="url"
        type="url"
        label={t.webhooks.url}
        hint={t.webhooks.urlHint}
        isRequired
      />
      <ChoiceField
        name="objects"
        label={t.webhooks.ofWhat}
        all={t.webhooks.allObjects}
        some={t.webhooks.someObjects}
        known={CHANGED_OBJECTS}
        texts={objects}
      />
      <ChoiceField
        name="actions"
        label={t.webhooks.doneTo}
        all={t.webhooks.allActions}
        some={t.webhooks.someActions}
        known={CHANGE_ACTIONS}
        texts={actions}
      />
      <FolderPicker
        name="asset_category_id"
        label={t.webhooks.folder}
        hint={t.webhooks.folderHint}
        isOptional
      />
    </>
  )
}

/** Rejects an empty choice with an error in the page language. */
export function requireChoices(values: Partial<WebhookValues>, text: string): void {
  const empty = ['objects', 'actions'].filter((name) => values[name] === '')
  if (empty.length > 0)
    throw new InvalidFields(Object.fromEntries(empty.map((name) => [name, text])))
}
