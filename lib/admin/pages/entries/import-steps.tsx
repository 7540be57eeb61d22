// Maps file columns to datatable columns, with sample rows. Equal names are mapped automatically.

import { useRef, useState } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { CsvHead } from './csv.ts'
import { type EntryField, useFieldName } from './fields.ts'

interface ImportMappingProps {
  readonly head: CsvHead
  readonly fields: readonly EntryField[]
  readonly onCancel: () => void
  readonly onStart: (targets: readonly (EntryField | undefined)[]) => void
}

const EXAMPLES = 3

export function ImportMapping({ head, fields, onCancel, onStart }: ImportMappingProps) {
  const { t } = useTexts()
  const nameOf = useFieldName()
  const [chosen, setChosen] = useState(() => head.names.map((name) => targetOf(name, fields)))
  const [fault, setFault] = useState<string>()

  function start(): void {
    const twice = chosen.find((name, at) => name !== '' && chosen.indexOf(name) < at)
    const field = fields.find(({ name }) => name === twice)
    if (field !== undefined) return setFault(fill(t.entries.importTwice, { column: nameOf(field) }))
    if (chosen.every((name) => name === '')) return setFault(t.entries.importNone)
    onStart(chosen.map((name) => fields.find((each) => each.name === name)))
  }

  return (
    <>
      {fault !== undefined && <Notice kind="danger">{fault}</Notice>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region */}
      <div class="import-mapping" role="region" aria-label={t.entries.importFirst} tabIndex={0}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.entries.importColumn}</th>
              <th scope="col">{t.entries.importTo}</th>
              <th scope="col">{t.entries.importFirst}</th>
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
      <div class="dialog-actions">
        <Button onPress={onCancel}>{t.general.cancel}</Button>
        <Button kind="primary" onPress={start}>
          {t.entries.importStart}
        </Button>
      </div>
    </>
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
      <td class="import-examples">
        <bdi>{examples.join(' · ')}</bdi>
      </td>
    </tr>
  )
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
  readonly onFile: (file: File) => void
}

export function ImportChoose({ fault, onFile }: ImportChooseProps) {
  const { t } = useTexts()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  return (
    <>
      <p class="quiet">{t.entries.importText}</p>
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
        <Button kind="primary" icon="upload" onPress={() => input.current?.click()}>
          {t.entries.importChoose}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          hidden
          onChange={({ currentTarget: { files } }) => {
            const file = files?.[0]
            if (file !== undefined) onFile(file)
          }}
        />
      </div>
    </>
  )
}
