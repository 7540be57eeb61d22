// The palette dialog: a search field, and the results below. The field appears at once and accepts typing while the
// rest loads; otherwise the keystrokes would go to the page behind.

import type { ComponentType } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { useModal } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import type { PageDefinition } from './page-definition.ts'

export interface PaletteDialogProps {
  readonly pages: readonly PageDefinition[]
  /** Undefined while loading. */
  readonly view: ComponentType<PaletteViewProps> | undefined
  readonly onClose: () => void
  readonly onKeys: () => void
}

export interface PaletteViewProps extends Omit<PaletteDialogProps, 'view'> {
  readonly typed: string
  readonly listId: string
  /** Handles keys of the field for the result list. */
  readonly keys: { current: ((event: KeyboardEvent) => void) | undefined }
  readonly onMark: (mark: Mark) => void
}

interface Mark {
  readonly count: number
  /** Index of the item that Enter opens, or -1. */
  readonly at: number
}

const NOTHING: Mark = { count: 0, at: -1 }

export function PaletteDialog({ pages, view: View, onClose, onKeys }: PaletteDialogProps) {
  const { t } = useTexts()
  const listId = useId()
  const keys = useRef<(event: KeyboardEvent) => void>()
  const [typed, setTyped] = useState('')
  const [mark, setMark] = useState(NOTHING)

  return (
    <dialog
      {...useModal({ onClose, isLight: true })}
      class="palette"
      aria-label={t.frame.palette}
      aria-busy={View === undefined}
    >
      <Field listId={listId} typed={typed} onType={setTyped} mark={mark} keys={keys} />
      {View !== undefined && (
        <View {...{ pages, typed, listId, keys, onClose, onKeys }} onMark={setMark} />
      )}
    </dialog>
  )
}

interface FieldProps extends Pick<PaletteViewProps, 'typed' | 'listId' | 'keys'> {
  readonly onType: (text: string) => void
  readonly mark: Mark
}

function Field({ listId, typed, onType, mark: { count, at }, keys }: FieldProps) {
  const { t } = useTexts()
  return (
    <div class="palette-field">
      <Icon name="search" />
      <input
        type="text"
        role="combobox"
        aria-label={t.frame.palette}
        aria-expanded={count > 0}
        aria-controls={count > 0 ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={at === -1 ? undefined : `${listId}-${at}`}
        placeholder={t.frame.palettePlaceholder}
        autoComplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
        onKeyDown={(event) => keys.current?.(event)}
      />
    </div>
  )
}
