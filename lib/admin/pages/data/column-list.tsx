// The column list of a schema: columns can be changed, moved, dropped and added.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { useActions } from '../../ui/actions.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useReferenceTargets } from './column-reference.tsx'
import { ColumnRow, NONE, type ValuesFrom } from './column-row.tsx'
import { type OfferedType, PLAIN_NAMES } from './column-types.ts'
import { EntryRules } from './entry-rules.tsx'
import { addOfType, typeIcon, useTypeName } from './offered-types.ts'
import { readSchema, type SchemaColumn } from './schema-columns.ts'
import { droppedOf, originOf } from './schema-draft.ts'
import { addColumn, dropColumn, freeName, moveColumn, textOf } from './schema-edit.ts'
import type { SchemaState } from './use-schema-draft.ts'

export interface ColumnListProps {
  readonly state: SchemaState
  /** Schema of the existing table; '' for a new table. */
  readonly base: string
  readonly isReadOnly: boolean
  readonly titleField: string | null
  /** The list is a part of a form, whose page has other shortcuts. */
  readonly isPart?: boolean
}

export function ColumnList(props: ColumnListProps) {
  const { state, base, isReadOnly, isPart = false } = props
  const { t } = useTexts()
  const { draft, good, change } = state
  const { columns } = readSchema(good)
  const { list, focus } = useLateFocus()
  const dropped = base === '' ? [] : droppedOf({ ...draft, text: good }, base)
  // The text has an error, so an edit in the list would overwrite it.
  const isStale = draft.text !== good

  function add(type: OfferedType): void {
    change(addOfType(good, freeName(columns, t.data.newName), type))
    focus('li:last-child input[name="column_name"]')
  }
  useActions(
    isReadOnly || isStale || isPart
      ? []
      : [
          {
            id: 'add-column',
            text: t.data.addColumn,
            icon: 'plus',
            keys: 'n',
            run: () => add('C'),
          },
        ],
  )

  return (
    <fieldset ref={list} class="columns" disabled={isReadOnly || isStale} onKeyDown={stopEnter}>
      <legend class="unseen">{t.data.columns}</legend>
      <div class="columns-head" aria-hidden="true">
        <span>{t.data.columnName}</span>
        <span>{t.data.type}</span>
        <span>{t.data.size}</span>
        <span>{t.data.default}</span>
        <span>{t.data.required}</span>
      </div>
      <Rows {...props} columns={columns} dropped={dropped} onFocus={focus} />
      {!isReadOnly && (
        <AddColumn
          onAdd={add}
          onOther={() => {
            add('C')
            focus('li:last-child select[name="column_type"]')
          }}
        />
      )}
      <EntryRules
        text={good}
        names={columns.map(({ name }) => name)}
        isReadOnly={isReadOnly}
        onChange={change}
      />
      {dropped.length > 0 && (
        <Dropped
          names={dropped}
          onRestore={(name) => change(addColumn(good, columnIn(base, name)))}
        />
      )}
    </fieldset>
  )
}

interface AddColumnProps {
  readonly onAdd: (type: OfferedType) => void
  /** The user wants a type that the menu does not offer. */
  readonly onOther: () => void
}

function AddColumn({ onAdd, onOther }: AddColumnProps) {
  const { t } = useTexts()
  const nameOf = useTypeName()
  const plain = PLAIN_NAMES.map((type) => ({
    text: nameOf(type),
    icon: typeIcon(type),
    onChoose: () => onAdd(type),
  }))
  return (
    <div>
      <Menu
        button={{ class: 'button', icon: 'plus', content: <span>{t.data.addColumn}</span> }}
        items={[...plain, { text: t.data.otherType, icon: 'code', onChoose: onOther }]}
      />
    </div>
  )
}

/** Enter would submit the surrounding form. */
function stopEnter(event: KeyboardEvent): void {
  const isSent = event.ctrlKey || event.metaKey
  if (event.key === 'Enter' && !isSent && event.target instanceof HTMLInputElement)
    event.preventDefault()
}

interface RowsProps extends ColumnListProps {
  readonly columns: readonly SchemaColumn[]
  readonly dropped: readonly string[]
  /** Focuses the selector's element after the next render. */
  readonly onFocus: (selector: string) => void
}

function Rows({ state, base, titleField, columns, dropped, onFocus }: RowsProps) {
  const { t } = useTexts()
  const { good, change } = state
  const names = columns.map(({ name }) => name)
  const ids = useIds(names)
  const targets = useReferenceTargets(columns)
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()

  function move(from: number, to: number): void {
    setDragged(undefined)
    if (to < 0 || to >= columns.length || from === to) return
    change(moveColumn(good, columns, { from, to }))
    onFocus(`li:nth-child(${to + 1}) .column-handle`)
  }

  return (
    <ol class="columns-list" aria-label={t.data.columns}>
      {columns.map((column, at) => (
        <li
          key={ids[at]}
          class={dragged !== undefined && over === at ? 'columns-target' : undefined}
          onDragOver={(event) => {
            if (dragged === undefined) return
            event.preventDefault()
            setOver(at)
          }}
          onDrop={(event) => {
            event.preventDefault()
            if (dragged !== undefined) move(dragged, at)
          }}
          onDragEnd={() => setDragged(undefined)}
        >
          <ColumnRow
            column={column}
            text={good}
            names={names}
            onChange={change}
            onMove={(by) => move(at, at + by)}
            onDrop={() => {
              change(dropColumn(good, column))
              onFocus(`li:nth-child(${Math.max(at, 1)}) .column-handle`)
            }}
            onDragStart={(event) => {
              event.dataTransfer?.setData('text/plain', column.name)
              setDragged(at)
            }}
            valuesFrom={base === '' ? undefined : valuesFrom({ state, column, dropped })}
            targets={targets}
            isTitle={titleField !== null && originIn(state, column) === titleField}
          />
        </li>
      ))}
    </ol>
  )
}

interface DroppedProps {
  readonly names: readonly string[]
  readonly onRestore: (name: string) => void
}

function Dropped({ names, onRestore }: DroppedProps) {
  const { t } = useTexts()
  return (
    <div class="columns-dropped">
      <p class="columns-dropped-title">{t.data.willDrop}</p>
      <ul aria-label={t.data.willDrop}>
        {names.map((name) => (
          <li key={name}>
            <del>{name}</del>
            <Button
              kind="quiet"
              label={fill(t.data.restoreColumn, { name })}
              onPress={() => onRestore(name)}
            >
              {t.data.restore}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The column as written in the schema of the table. */
function columnIn(base: string, name: string): string {
  const column = readSchema(base).columns.find((each) => each.name === name)
  return column === undefined ? name : textOf(base, column.parts.piece)
}

function originIn({ draft, original }: SchemaState, { name }: SchemaColumn): string | undefined {
  return originOf(name, draft.renames, original)
}

interface ValuesFromInput {
  readonly state: SchemaState
  readonly column: SchemaColumn
  readonly dropped: readonly string[]
}

/** Undefined without a choice. */
function valuesFrom({ state, column, dropped }: ValuesFromInput): ValuesFrom | undefined {
  const { draft, setRenames } = state
  const { name } = column
  return {
    from: originIn(state, column) ?? NONE,
    free: dropped,
    onChange(from) {
      const { [name]: _, ...others } = draft.renames
      setRenames(from === NONE || from === name ? others : { ...others, [name]: from })
    },
  }
}

/** Stable render keys: a column keeps its key as long as its name or its position stays. */
function useIds(names: readonly string[]): readonly number[] {
  const known = useRef<{ readonly names: readonly string[]; readonly ids: readonly number[] }>({
    names: [],
    ids: [],
  })
  const last = useRef(0)
  const { names: before, ids } = known.current
  const isRenamed =
    before.length === names.length && names.filter((name) => !before.includes(name)).length === 1
  const next = names.map((name, at) => {
    const found = ids[isRenamed && !before.includes(name) ? at : before.indexOf(name)]
    if (found !== undefined) return found
    last.current += 1
    return last.current
  })
  known.current = { names, ids: next }
  return next
}

/** Moves the focus after the next render. */
function useLateFocus() {
  const list = useRef<HTMLFieldSetElement>(null)
  const wanted = useRef<string>()
  useLayoutEffect(() => {
    if (wanted.current === undefined) return
    const target = list.current?.querySelector<HTMLElement>(`.columns-list > ${wanted.current}`)
    wanted.current = undefined
    target?.focus()
    if (target instanceof HTMLInputElement) target.select()
  })
  return {
    list,
    focus(selector: string): void {
      wanted.current = selector
    },
  }
}
