// The text of a version, as a page, a table, a tree or a picture where its type has such a form, and as it is.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Api } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { FileRecord, FolderRecord } from '../content/records.ts'
import { readBytes } from '../content/thumbnail.tsx'
import { type CodeParts, languageOf, loadToPage } from '../editor/code-language.ts'
import { TextPreview } from '../editor/text-preview.tsx'
import { anyTree, type JsonNode } from '../entries/json/json-tree.ts'
import { JsonTreeView } from '../entries/json/json-tree-view.tsx'

interface TextViewProps {
  readonly file: FileRecord
  readonly version: number
  readonly mayRead: boolean
  /** The folder of the file with its parents, topmost first. */
  readonly line: readonly FolderRecord[]
  /** The file as a picture. */
  readonly picture?: ComponentChildren
}

/** Longer texts are not read. */
export const MOST_READ = 16 * 1024 * 1024
/** Characters that are shown; browsers become slow with more. */
const MOST_SHOWN = 1024 * 1024
const MOST_ROWS = 200

type Way = 'page' | 'table' | 'tree' | 'picture'

interface Read {
  readonly text: string
  readonly toPage: CodeParts['toPage']
  /** The rows of a CSV file; undefined for a file that is not valid. */
  readonly rows: readonly (readonly (string | null)[])[] | undefined
  readonly root: JsonNode | undefined
}

export function TextView(props: TextViewProps) {
  const { file, version, picture } = props
  const { t, formats } = useTexts()
  const api = useApi()
  const [isText, setIsText] = useState(false)
  const loaded = useRequest((signal) => readText(api, props, signal), [file.asset_file_id, version])
  const { data } = loaded
  if (data === undefined) return <Loading {...loaded} lines={6} />
  if (data.text === '') return <EmptyState icon="text" title={t.file.empty} />
  const way = picture === undefined ? wayOf(file, data) : 'picture'
  const isPlain = way === undefined || isText
  return (
    <>
      {way !== undefined && (
        <div class="version-ways" role="group" aria-label={t.file.showAs}>
          <Button kind="quiet" isPressed={!isText} onPress={() => setIsText(false)}>
            {t.file.ways[way]}
          </Button>
          <Button kind="quiet" isPressed={isText} onPress={() => setIsText(true)}>
            {t.file.text}
          </Button>
        </div>
      )}
      {isPlain ? (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region
        <pre class="version-text" role="group" tabIndex={0} aria-label={t.file.text}>
          {data.text.slice(0, MOST_SHOWN)}
        </pre>
      ) : (
        <Formed {...props} {...data} way={way} />
      )}
      {isPlain && data.text.length > MOST_SHOWN && (
        <p class="version-note">{fill(t.file.cut, { size: formats.bytes(MOST_SHOWN) })}</p>
      )}
    </>
  )
}

function wayOf(file: FileRecord, { rows, root }: Read): Way | undefined {
  if (rows !== undefined) return 'table'
  if (root !== undefined) return 'tree'
  const language = languageOf(file)
  const isPage = language === 'html' || language === 'stml' || language === 'markdown'
  return isPage ? 'page' : undefined
}

/** The parts that read a form of the text are loaded when they are needed. */
async function readText(
  api: Api,
  { file, version, mayRead }: TextViewProps,
  signal: AbortSignal,
): Promise<Read> {
  const bytes = await readBytes(api, { file, version, mayRead }, signal)
  const text = await bytes.text()
  const language = languageOf(file)
  return {
    text,
    toPage: await loadToPage(language),
    rows: CSV.has(file.mime_type) ? await rowsOf(bytes, signal) : undefined,
    root: language === 'json' && text.length <= MOST_SHOWN ? anyTree(text) : undefined,
  }
}

const CSV: ReadonlySet<string> = new Set(['text/csv', 'text/tab-separated-values'])

async function rowsOf(bytes: Blob, signal: AbortSignal): Promise<Read['rows']> {
  const { CsvFault, firstRows } = await import('../entries/csv.ts')
  try {
    return await firstRows(bytes, MOST_ROWS + 1, signal)
  } catch (error) {
    if (error instanceof CsvFault) return undefined
    throw error
  }
}

interface FormedProps extends TextViewProps, Read {
  readonly way: Way
}

function Formed({ file, line, picture, text, toPage, rows = [], root, way }: FormedProps) {
  if (way === 'picture') return <>{picture}</>
  if (way === 'page') return <TextPreview text={text} toPage={toPage} line={line} />
  if (way === 'table') return <Rows rows={rows} name={file.name} />
  if (root === undefined) return null
  return (
    <div class="version-tree">
      <JsonTreeView
        label={file.name}
        text={text}
        root={root}
        isReadOnly
        onChange={() => undefined}
      />
    </div>
  )
}

interface RowsProps {
  readonly rows: NonNullable<Read['rows']>
  readonly name: string
}

function Rows({ rows: [head = [], ...rows], name }: RowsProps) {
  const { t, formats } = useTexts()
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls this region */}
      <div class="version-rows" role="region" tabIndex={0} aria-label={name}>
        <table class="table">
          <thead>
            <tr>
              {head.map((cell, at) => (
                <th key={at} scope="col">
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MOST_ROWS).map((cells, line) => (
              <tr key={line}>
                {cells.map((cell, at) => (
                  <td key={at}>
                    <bdi class="clip">{cell}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MOST_ROWS && (
        <p class="version-note">{formats.count(t.file.firstRows, MOST_ROWS)}</p>
      )}
    </>
  )
}
