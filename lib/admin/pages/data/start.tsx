// Starting points of a new datatable: one column, an example, or a CSV header.

import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useToast } from '../../ui/toast.tsx'
import { readHead } from './csv-head.ts'
import { EXAMPLE_NAMES, EXAMPLES, type ExampleName } from './examples.ts'
import { guessSchema, type Rows } from './guess-schema.ts'
import type { SchemaState } from './use-schema-draft.ts'

export interface StartProps {
  readonly state: SchemaState
  readonly onCsv: (fileName: string, rows: Rows) => void
  /** The user chose another starting point. */
  readonly onOther: () => void
}

const ICONS: Readonly<Record<ExampleName, IconName>> = {
  nothing: 'plus',
  people: 'users',
  products: 'archive',
  news: 'text',
}

export function Start(props: StartProps) {
  const { state, onOther } = props
  const { t } = useTexts()
  const file = useRef<HTMLInputElement>(null)
  const { begin, take } = useStart(props)
  const { text } = state.draft

  return (
    <fieldset class="begin">
      <legend class="field-label">{t.data.beginWith}</legend>
      {EXAMPLE_NAMES.map((name) => (
        <button
          key={name}
          type="button"
          class="begin-choice"
          aria-pressed={text === EXAMPLES[name]}
          onClick={() => {
            void begin(EXAMPLES[name]).then((isDone) => isDone && onOther())
          }}
        >
          <Icon name={ICONS[name]} />
          <span class="begin-name">{t.data.examples[name]}</span>
          <span class="quiet">{t.data.exampleTexts[name]}</span>
        </button>
      ))}
      <button type="button" class="begin-choice" onClick={() => file.current?.click()}>
        <Icon name="upload" />
        <span class="begin-name">{t.data.fromCsv}</span>
        <span class="quiet">{t.data.fromCsvText}</span>
      </button>
      <input
        ref={file}
        class="unseen"
        type="file"
        accept=".csv,.tsv,.txt,text/csv"
        aria-label={t.data.csvFile}
        tabIndex={-1}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.files?.[0]
          // Allows choosing the same file again.
          currentTarget.value = ''
          if (chosen !== undefined) void take(chosen)
        }}
      />
    </fieldset>
  )
}

function useStart({ state, onCsv }: StartProps) {
  const { t } = useTexts()
  const confirm = useConfirm()
  const toast = useToast()
  /** The generated text, as opposed to typed text. */
  const [given, setGiven] = useState<string>()
  const { text } = state.draft
  const isOwn = text !== given && !EXAMPLE_NAMES.some((name) => EXAMPLES[name] === text)

  async function begin(schema: string): Promise<boolean> {
    const question = {
      title: t.data.replaceTitle,
      text: t.data.replaceText,
      action: t.data.replace,
    }
    if (isOwn && !(await confirm(question))) return false
    setGiven(schema)
    state.change(schema)
    return true
  }

  async function take(chosen: File): Promise<void> {
    const rows = await readHead(chosen).catch(() => undefined)
    const schema = rows === undefined ? '' : guessSchema(rows)
    if (rows === undefined || schema === '') toast({ text: t.data.noCsv, isFault: true })
    else if (await begin(schema)) onCsv(chosen.name, rows)
  }

  return { begin, take }
}
