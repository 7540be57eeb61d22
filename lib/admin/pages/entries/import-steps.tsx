// Maps file columns to datatable columns, with sample rows. Equal names are mapped automatically, and this browser keeps
// the mapping for the next file.

import { useState } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { isObject, parseJson, readStored, writeStored } from '../../client/stored.ts'
import type { CsvHead } from './csv.ts'
import { type DecimalMark, pageMark } from './decimal-mark.ts'
import { type EntryField, isDecimal, useFieldName } from './fields.ts'

/** The choices of the user for one file. */
export interface Mapping {
  /** The target of each file column; undefined to skip the column. */
  readonly targets: readonly (EntryField | undefined)[]
  readonly mark: DecimalMark
}

interface ImportMappingProps {
  readonly tableId: number
  readonly head: CsvHead
  readonly fields: readonly EntryField[]
  readonly onCancel: () => void
  readonly onStart: (mapping: Mapping) => void
}

const EXAMPLES = 3

const MARKS: readonly DecimalMark[] = ['.', ',']

export function ImportMapping({ tableId, head, fields, onCancel, onStart }: ImportMappingProps) {
  const { t } = useTexts()
  const nameOf = useFieldName()
  const [chosen, setChosen] = useState(() => targetsOf(tableId, head.names, fields))
  // A spreadsheet separates cells by semicolons where commas separate decimals.
  const [mark, setMark] = useState<DecimalMark>(head.delimiter === ',' ? '.' : pageMark())
  const hasDecimals = fields.some((field) => isDecimal(field) && chosen.includes(field.name))
  const [fault, setFault] = useState<string>()

  function start(): void {
    const twice = chosen.find((name, at) => name !== '' && chosen.indexOf(name) < at)
    const field = fields.find(({ name }) => name === twice)
    if (field !== undefined) return setFault(fill(t.entries.importTwice, { column: nameOf(field) }))
    if (chosen.every((name) => name === '')) return setFault(t.entries.importNone)
    keepTargets(tableId, Object.fromEntries(head.names.map((name, at) => [name, chosen[at] ?? ''])))
    onStart({ targets: chosen.map((name) => fields.find((each) => each.name === name)), mark })
  }

  return (
    <>
      <p class="quiet">{t.entries.importText}</p>
      {fault !== undefined && <Notice kind="danger">{fault}</Notice>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region */}
      <div class="import-mapping" role="region" aria-label={t.entries.importColumn} tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.entries.importColumn}</th>
              <th scope="col">{t.entries.importTo}</th>
            </tr>
          </thead>
          <tbody>
            {head.names.map((name, at) => (
              <Target
                // oxlint-disable-next-line react/no-array-index-key -- two columns may have the same name
                key={at}
                name={name}
                examples={head.rows.slice(0, EXAMPLES).map(({ cells }) => cells[at] ?? '–')}
                fields={fields}
                chosen={chosen[at] ?? ''}
                onChoose={(next) => {
                  setFault(undefined)
                  setChosen(chosen.with(at, next))
                }}
              />
            ))}
          </tbody>
        </table>
      </div>
      {hasDecimals && <MarkSelect mark={mark} onMark={setMark} />}
      <div class="dialog-actions">
        <Button onPress={onCancel}>{t.general.cancel}</Button>
        <Button kind="primary" onPress={start}>
          {t.entries.importStart}
        </Button>
      </div>
    </>
  )
}

interface MarkSelectProps {
  readonly mark: DecimalMark
  readonly onMark: (mark: DecimalMark) => void
}

function MarkSelect({ mark, onMark }: MarkSelectProps) {
  const { t } = useTexts()
  return (
    <Select
      name="mark"
      label={t.entries.importMark}
      value={mark}
      options={MARKS.map((each) => ({ value: each, text: t.entries.importMarks[each] }))}
      onChange={(next) => onMark(next === ',' ? ',' : '.')}
    />
  )
}

interface TargetProps {
  readonly name: string
  readonly examples: readonly string[]
  readonly fields: readonly EntryField[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

function Target({ name, examples, fields, chosen, onChoose }: TargetProps) {
  const { t } = useTexts()
  const nameOf = useFieldName()
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
        <p class="import-examples">
          <bdi>{examples.join(' · ')}</bdi>
        </p>
      </td>
      <td>
        <div class="select">
          <select
            class="input"
            aria-label={name}
            value={chosen}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          >
            <option value="">{t.entries.importSkip}</option>
            {fields.map((field) => (
              <option key={field.name} value={field.name}>
                {nameOf(field)}
              </option>
            ))}
          </select>
          <Icon name="chevronDown" />
        </div>
      </td>
    </tr>
  )
}

const keyOf = (tableId: number): string => `cms.import.${tableId}`

/** The targets of the last import, and otherwise the columns of the same name. */
function targetsOf(
  tableId: number,
  names: readonly string[],
  fields: readonly EntryField[],
): readonly string[] {
  const stored = parseJson(readStored(keyOf(tableId)))
  const kept = isObject(stored) ? stored : {}
  return names.map((name) => {
    const target = Object.hasOwn(kept, name) ? kept[name] : undefined
    const isKnown = target === '' || fields.some((field) => field.name === target)
    return typeof target === 'string' && isKnown ? target : targetOf(name, fields)
  })
}

function keepTargets(tableId: number, targets: Readonly<Record<string, string>>): void {
  writeStored(keyOf(tableId), JSON.stringify(targets))
}

function targetOf(name: string, fields: readonly EntryField[]): string {
  const plain = (text: string): string =>
    text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_-]+/g, '_')
  const same = fields.find((field) => field.name === name)
  return (same ?? fields.find((field) => plain(field.name) === plain(name)))?.name ?? ''
}

/** Accepts a dropped or chosen CSV file. */
interface ImportChooseProps {
  readonly fault: string | undefined
  readonly onChoose: () => void
  readonly onFile: (file: File) => void
}

export function ImportChoose({ fault, onChoose, onFile }: ImportChooseProps) {
  const { t } = useTexts()
  const [isOver, setIsOver] = useState(false)
  return (
    <>
      {fault !== undefined && (
        <Notice kind="danger" title={t.entries.importNothing}>
          {fault}
        </Notice>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the button inside does the same */}
      <div
        class={isOver ? 'import-drop import-over' : 'import-drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          const file = event.dataTransfer?.files[0]
          if (file !== undefined) onFile(file)
        }}
      >
        <p>{t.entries.importDrop}</p>
        <Button kind="primary" icon="upload" onPress={onChoose}>
          {t.entries.importChoose}
        </Button>
      </div>
    </>
  )
}
