// Asks before something that may hold other things is deleted. On a site without a trash, the user types the name of what is not empty.
//
//   <DeleteForm name={folder.name} isFull={count > 0} submit={t.content.deleteFolder} onDelete={remove}>
//     <p>{fill(t.content.deleteFolderText, { name })}</p>
//   </DeleteForm>

import type { ComponentChildren } from 'preact'
import { useMe } from '../client/client-context.ts'
import { fill } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Form, InvalidFields } from './form.tsx'
import { TextInput } from './text-input.tsx'

export interface DeleteFormProps {
  /** The name of what is deleted. */
  readonly name: string
  readonly isFull: boolean
  readonly submit: string
  readonly onDelete: () => Promise<void>
  readonly children: ComponentChildren
}

export function DeleteForm({ name, isFull, submit, onDelete, children }: DeleteFormProps) {
  const { t } = useTexts()
  const note = useDeletionNote()
  const isTyped = isFull && !useHasTrash()
  return (
    <Form
      name={`delete-${name}`}
      initial={{ name: '' }}
      submit={submit}
      isDangerous
      isForgotten
      onSubmit={async (typed) => {
        if (isTyped && typed.name !== name) throw new InvalidFields({ name: t.general.notTheName })
        await onDelete()
      }}
    >
      {children}
      <p>{note}</p>
      {isTyped && (
        <TextInput name="name" label={fill(t.general.typeName, { name })} isRequired isFocused />
      )}
    </Form>
  )
}

/** Whether the site keeps deleted items. */
export function useHasTrash(): boolean {
  return (useMe()?.trash_days ?? 0) > 0
}

/** Says for how long the trash keeps what is deleted. */
export function useDeletionNote(): string {
  const { t, formats } = useTexts()
  const days = useMe()?.trash_days ?? 0
  return days > 0 ? formats.count(t.general.deletedStay, days) : t.general.deletedForever
}
