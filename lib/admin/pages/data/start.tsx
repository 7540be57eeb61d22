// Starting points of a new datatable: one column, an example, or a CSV header.

import { useRef, useState } from 'preact/hooks'
import { useTexts } from '../../texts/use-texts.ts'
import { useConfirm } from '../../ui/confirm.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { useToast } from '../../ui/toast.tsx'
import { guessSchema, type Rows } from './guess-schema.ts'
import type { SchemaState } from './use-schema-draft.ts'

interface StartProps {
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

const READ_BYTES = 131_072
const MOST_ROWS = 500
const DELIMITERS = [',', ';', '\t', '|'] as const

class NoCsv extends Error {
  constructor() {
    super('There is no heading in it.')
    this.name = 'NoCsv'
  }
}

/** Reads the header and first rows with a parser that is loaded on demand. Throws NoCsv for other files. */
async function readHead(file: File): Promise<Rows> {
  const { parse } = await import('csv-parse/browser/esm/sync')
  const text = decode(new Uint8Array(await file.slice(0, READ_BYTES).arrayBuffer()))
  const isWhole = file.size <= READ_BYTES
  const records = tryParse(() =>
    parse(text, {
      bom: true,
      delimiter: delimiterOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      to: MOST_ROWS + 1,
    }),
  )
  const [heading, ...rows] = records
  if (heading === undefined || text.includes('\0')) throw new NoCsv()
  // The last row may be cut off.
  return { heading, rows: isWhole || records.length > MOST_ROWS ? rows : rows.slice(0, -1) }
}

function tryParse(parse: () => readonly (readonly string[])[]): readonly (readonly string[])[] {
  try {
    return parse()
  } catch (error) {
    throw Object.assign(new NoCsv(), { cause: error })
  }
}

/** Decodes UTF-8, or else Windows-1252 as office programs write it. */
function decode(bytes: Uint8Array): string {
  const utf8 = new TextDecoder('utf-8').decode(bytes)
  // A replacement character at the cut does not count.
  const isUtf8 = !utf8.slice(0, -4).includes('\ufffd')
  return isUtf8 ? utf8 : new TextDecoder('windows-1252').decode(bytes)
}

/** The delimiter that occurs most often in the header. */
function delimiterOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const counts = DELIMITERS.map((each) => line.split(each).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Example schemas for new tables. Column names are English because programs read them. */
export const EXAMPLES = {
  nothing: 'title C(255) NOTNULL',
  people:
    'name C(200) NOTNULL,\nemail C(254),\nphone C(40),\ncompany C(200),\nnewsletter L DEFAULT 0,\nnotes X',
  products:
    "name C(200) NOTNULL,\nsku C(40) UNIQUE,\nprice N(10.2),\nin_stock I DEFAULT 0,\nstate ENUM('new','on sale','sold out') DEFAULT 'new',\ndescription X",
  news: 'title C(255) NOTNULL,\nimage FILE,\nbody HTML,\nreleased D DEFDATE,\nauthor C(120),\nfeatured L DEFAULT 0',
} as const satisfies Readonly<Record<string, string>>

type ExampleName = keyof typeof EXAMPLES

const EXAMPLE_NAMES = Object.keys(EXAMPLES) as readonly ExampleName[]
