// The fields of a new or existing webhook.

import { CHANGE_ACTIONS, CHANGED_OBJECTS } from '../../../shared/actions.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { FolderPicker } from '../../ui/record-picker.tsx'
import { InvalidFields } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useBound } from '../../ui/use-form.ts'
import { ALL, chosenOf, type WebhookValues } from './webhook.tsx'

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

interface ChoiceFieldProps<T extends string> {
  readonly name: string
  readonly label: string
  readonly all: string
  readonly some: string
  readonly known: readonly T[]
  readonly texts: Readonly<Record<T, string>>
}

const SOME = 'some'

/** Chooses all names, or some of them. */
function ChoiceField<T extends string>(props: ChoiceFieldProps<T>) {
  const { name, label, all, some, known, texts } = props
  const { value, change, fault } = useBound<string>({ name }, ALL)
  const chosen = chosenOf(known, value)
  return (
    <div class="grants-field">
      <Select
        name={name}
        label={label}
        value={chosen === null ? ALL : SOME}
        fault={fault}
        onChange={(next) => change(next === ALL ? ALL : '')}
        options={[
          { value: ALL, text: all },
          { value: SOME, text: some },
        ]}
      />
      {chosen !== null && (
        <fieldset class="grants-list choice-list">
          <legend class="unseen">{label}</legend>
          {known.map((each) => (
            <Checkbox
              key={each}
              name={`${name}-${each}`}
              label={texts[each]}
              value={chosen.includes(each)}
              onChange={(isChosen) =>
                change(
                  known
                    .filter((other) => (other === each ? isChosen : chosen.includes(other)))
                    .join(','),
                )
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  )
}
