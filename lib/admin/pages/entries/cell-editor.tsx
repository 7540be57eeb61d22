// The editor of one cell: an input by column type. Enter saves and moves down, Tab saves and moves on, Escape
// cancels. Errors and conflicts appear below the cell.

import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { OWN_ZONE } from '../../client/time-zones.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { place } from '../../ui/menu.tsx'
import type { Draft } from './cell-drafts.ts'
import { fromLocal, readable, toLocal } from './cell-text.tsx'
import { choicesOf, type EntryField } from './fields.ts'
import { FileCell } from './references/file-cell.tsx'
import { ReferenceCell } from './references/reference-cell.tsx'
import { ReferencesCell } from './references/references-cell.tsx'

export type Leave = 'down' | 'up' | 'on' | 'back' | 'stay'

export interface CellEditorProps {
  readonly field: EntryField
  readonly draft: Draft
  readonly label: string
  readonly onType: (text: string) => void
  readonly onCommit: (leave: Leave) => void
  readonly onGiveUp: () => void
  readonly onTheirs: () => void
  readonly onMine: () => void
}

export function CellEditor(props: CellEditorProps) {
  const { field, draft, onCommit, onGiveUp } = props
  const noteId = useId()
  const ref = useRef<HTMLDivElement>(null)
  // Focuses at once, because the next keystroke belongs to the field.
  useLayoutEffect(() => {
    const input = ref.current?.querySelector<HTMLElement>(FIRST)
    input?.focus({ preventScroll: true })
    // Editing that began with a letter continues after it.
    if (input instanceof HTMLInputElement && input.type === 'text')
      input.setSelectionRange(input.value.length, input.value.length)
  }, [])

  function onKey(event: KeyboardEvent): void {
    // Grid shortcuts do not apply inside the editor.
    event.stopPropagation()
    const isMod = event.ctrlKey || event.metaKey
    const isOwnEnter = hasLines(field) && !isMod
    if (event.key === 'Escape') onGiveUp()
    else if (event.key === 'Tab' && !isMany(field)) onCommit(event.shiftKey ? 'back' : 'on')
    else if (event.key === 'Enter' && !isOwnEnter && isInput(event.target))
      onCommit(event.shiftKey ? 'up' : 'down')
    else return
    event.preventDefault()
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys belong to the field inside
    <div
      ref={ref}
      class="cell-editor"
      onKeyDown={onKey}
      onMouseDown={(event) => event.stopPropagation()}
      onDblClick={(event) => event.stopPropagation()}
      onFocusOut={({ relatedTarget }) => {
        const isInside = relatedTarget instanceof Node && ref.current?.contains(relatedTarget)
        // Switching windows does not leave the cell.
        if (isInside === true || (relatedTarget === null && isMany(field))) return
        if (document.hasFocus() && draft.fault === undefined) onCommit('stay')
      }}
    >
      <CellInput {...props} noteId={noteId} />
      {(draft.fault !== undefined || hasHint(field)) && !isMany(field) && (
        <Note {...props} id={noteId} anchor={ref} />
      )}
    </div>
  )
}

/** Finds the element that has the focus first: the field of the cell, or the first button that adds a record. */
const FIRST = '.cell-input, .cell-button, .cell-panel [role=combobox], .choose-files button'

/** The field has a panel, in which the focus moves. An item that moves in the list loses the focus for a moment. */
function isMany({ kind }: EntryField): boolean {
  return kind === 'references'
}

function isInput(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.classList.contains('cell-input')
}

function hasHint({ kind }: EntryField): boolean {
  return kind === 'long' || kind === 'json' || kind === 'time'
}

/** Enter begins a new line. */
function hasLines({ kind }: EntryField): boolean {
  return kind === 'long' || kind === 'json'
}

interface CellInputProps extends CellEditorProps {
  readonly noteId: string
}

function CellInput(props: CellInputProps) {
  const { field, draft, label, onType, onCommit, noteId } = props
  const references = field.column?.references ?? null
  if (references === null) return <CellField {...props} />
  if (references.isMany) {
    return (
      <ReferencesCell
        references={references}
        text={draft.text}
        label={label}
        onType={onType}
        onDone={() => onCommit('stay')}
      >
        {draft.fault !== undefined && (
          <div class="cell-fault" role="alert">
            <NoteContent {...props} />
          </div>
        )}
      </ReferencesCell>
    )
  }
  const isInvalid = draft.fault !== undefined
  if (references.object === 'asset_file') {
    return (
      <FileCell
        references={references}
        text={draft.text}
        label={label}
        isInvalid={isInvalid}
        describedBy={isInvalid ? noteId : undefined}
        onChoose={(id) => {
          onType(id)
          onCommit('stay')
        }}
        onClose={props.onGiveUp}
      />
    )
  }
  return (
    <ReferenceCell
      references={references}
      text={draft.text}
      label={label}
      isInvalid={isInvalid}
      describedBy={isInvalid ? noteId : undefined}
      onType={onType}
      onChoose={() => onCommit('stay')}
    />
  )
}

function CellField({ field, draft, label, onType, noteId }: CellInputProps) {
  const { t } = useTexts()
  const { text, fault } = draft
  const all = {
    class: 'input cell-input',
    'aria-label': label,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault !== undefined || hasHint(field) ? noteId : undefined,
  } as const
  if (hasLines(field)) {
    return (
      <textarea
        {...all}
        rows={6}
        value={text}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
    )
  }
  const choices = choicesOf(field, t)
  if (choices !== undefined) {
    return (
      <select {...all} value={text} onChange={({ currentTarget }) => onType(currentTarget.value)}>
        {(field.column?.isRequired !== true || text === '') && <option value="">–</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.text}
          </option>
        ))}
      </select>
    )
  }
  const isTime = field.kind === 'time'
  return (
    <input
      {...all}
      type={isTime ? 'datetime-local' : field.kind === 'date' ? 'date' : 'text'}
      step={isTime ? '1' : undefined}
      autoComplete="off"
      spellcheck={false}
      value={isTime ? toLocal(text) : text}
      onInput={({ currentTarget: { value } }) => onType(isTime ? fromLocal(value) : value)}
    />
  )
}

interface NoteProps extends CellEditorProps {
  readonly id: string
  readonly anchor: { readonly current: HTMLElement | null }
}

/** Rendered over the page, so that the edges of the grid do not cut it off. */
function Note({ id, anchor, ...props }: NoteProps) {
  const ref = useRef<HTMLDivElement>(null)
  const { fault } = props.draft
  useLayoutEffect(() => {
    const [note, box] = [ref.current, anchor.current?.getBoundingClientRect()]
    if (note === null || box === undefined) return
    if (!note.matches(':popover-open')) note.showPopover()
    place(note, box)
  })
  return (
    <div
      ref={ref}
      id={id}
      class={fault === undefined ? 'menu cell-note' : 'menu cell-note cell-fault'}
      popover="manual"
      role={fault === undefined ? 'note' : 'alert'}
    >
      <NoteContent {...props} />
    </div>
  )
}

function NoteContent({ field, draft, onTheirs, onMine }: CellEditorProps) {
  const speech = useTexts()
  const { t } = speech
  const { fault, theirs } = draft
  return (
    <>
      {fault !== undefined && <p>{fault}</p>}
      {theirs !== undefined && (
        <>
          <p class="cell-theirs">
            <bdi>{readable(field, theirs, speech)}</bdi>
          </p>
          <div class="cell-note-actions">
            <Button onPress={onTheirs}>{t.entries.takeTheirs}</Button>
            <Button kind="primary" onPress={onMine}>
              {t.entries.keepMine}
            </Button>
          </div>
        </>
      )}
      {fault === undefined && hasLines(field) && <p>{t.entries.cellHint}</p>}
      {fault === undefined && field.kind === 'time' && (
        <p>{fill(t.entries.localTime, { zone: OWN_ZONE })}</p>
      )}
    </>
  )
}
