// Saves a version with a note about the reason.

import { useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { Want } from './file-text.ts'

interface NoteDialogProps {
  readonly mayPublish: boolean
  readonly onClose: () => void
  readonly onSave: (want: Want, note: string) => void
}

/** As on the server (lib/schema/asset-file.ts). */
const MOST_CHARACTERS = 1_000

export function NoteDialog({ mayPublish, onClose, onSave }: NoteDialogProps) {
  const { t } = useTexts()
  const [isPublished, setIsPublished] = useState(false)
  return (
    <Dialog title={t.editor.note.title} onClose={onClose}>
      <Form
        name="version-note"
        initial={{ note: '' }}
        submit={isPublished ? t.editor.wants.publish : t.editor.wants.save}
        onSubmit={async ({ note }) => {
          onClose()
          onSave(isPublished ? 'publish' : 'save', note)
        }}
      >
        <TextInput
          name="note"
          label={t.editor.note.label}
          hint={t.editor.note.hint}
          rows={3}
          maxLength={MOST_CHARACTERS}
          isRequired
          isFocused
        />
        {mayPublish && (
          <Checkbox
            name="publish"
            label={t.editor.note.publish}
            value={isPublished}
            onChange={setIsPublished}
          />
        )}
      </Form>
    </Dialog>
  )
}
