// A live preview in a sandboxed frame: it runs no scripts and reaches no cookies or storage. The width is that of a
// phone, a tablet or a desktop. Files of this site are loaded by this page and passed to the frame.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { SERVER } from '../../client/address.ts'
import type { Api } from '../../client/api.ts'
import { useApi, useMe } from '../../client/client-context.ts'
import { isObject } from '../../client/stored.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import type { FileRecord, FolderRecord } from '../content/records.ts'
import { readBytes } from '../content/thumbnail.tsx'
import type { CodeParts, Language } from './code-language.ts'
import { openShownAddresses } from './shown-addresses.ts'
import { initialWidth, useScaled, WidthButtons } from './preview-widths.tsx'

interface PreviewProps {
  readonly file: FileRecord
  /** The folder of the file with its parents, topmost first. */
  readonly line: readonly FolderRecord[]
  readonly parts: Pick<CodeParts, 'language' | 'toPage'>
  readonly text: string
  /** More buttons beside the widths. */
  readonly children?: ComponentChildren
}

const SHOWN_LANGUAGES: ReadonlySet<Language> = new Set(['html', 'stml', 'markdown'])

export function canPreview(language: Language, { mime_type: type }: FileRecord): boolean {
  return SHOWN_LANGUAGES.has(language) || type === SVG
}

const SVG = 'image/svg+xml'

const PAUSE_MS = 250

export function Preview(props: PreviewProps) {
  const { file, line, text, children } = props
  const { language, toPage } = props.parts
  const { t } = useTexts()
  const [width, setWidth] = useState(initialWidth)
  const frame = useRef<HTMLIFrameElement>(null)
  const box = useScaled(frame, width)
  usePreviewed({
    frame,
    line,
    kind: file.mime_type === SVG ? 'svg' : 'html',
    text,
    toPage,
  })
  return (
    <section class="preview" aria-label={t.editor.preview}>
      <div class="preview-bar">
        <WidthButtons width={width} onChoose={setWidth} />
        {children}
      </div>
      <div ref={box} class="preview-box">
        <iframe
          ref={frame}
          class="preview-frame"
          src={`${SERVER}/admin/preview`}
          sandbox="allow-scripts"
          title={t.editor.preview}
        />
      </div>
      <p class="code-hint">{hintOf(language, t)}</p>
    </section>
  )
}

function hintOf(language: Language, t: Speech['t']): string {
  if (language === 'stml') return t.editor.previewStml
  return language === 'markdown' ? t.editor.previewMarkdown : t.editor.previewHint
}

interface Previewed {
  readonly frame: { readonly current: HTMLIFrameElement | null }
  /** The folder of the text with its parents, topmost first; empty if the text is not in a folder. */
  readonly line: readonly FolderRecord[]
  readonly kind: 'html' | 'svg'
  readonly text: string
  readonly toPage: CodeParts['toPage']
}

/**
 * Limit for texts that are converted first, so that a keystroke stays fast. Only the beginning of longer texts is
 * shown.
 */
const MOST_TURNED = 300_000

/** Sends the page to the frame, and the files that the frame requests. */
export function usePreviewed({ frame, line, kind, text, toPage }: Previewed): void {
  const api = useApi()
  const sites = useMe()?.site ?? []
  const place = JSON.stringify([line.map((folder) => folder.asset_category_id), sites])
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    const gone = new AbortController()
    const find = openShownAddresses(api, { line, sites })
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      const inner = frame.current?.contentWindow
      if (inner === null || inner === undefined || source !== inner || !isObject(data)) return
      if (data['type'] === 'cms-ready') setIsReady(true)
      const address = data['type'] === 'cms-want' ? data['address'] : undefined
      if (typeof address !== 'string') return
      void readShownFile(api, find(address, gone.signal), gone.signal).then((blob) =>
        tell(inner, { type: 'cms-file', address, blob }),
      )
    }
    addEventListener('message', onMessage, { signal: gone.signal })
    return () => gone.abort()
  }, [api, place])
  useEffect(() => {
    if (!isReady) return undefined
    const show = (): void => {
      const page = toPage?.(text.slice(0, MOST_TURNED)) ?? text
      tell(frame.current?.contentWindow, { type: 'cms-show', kind, text: page })
    }
    const timer = setTimeout(show, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isReady, text, kind])
}

/** The sandboxed frame has an opaque origin; preview.ts listens there. */
function tell(inner: Window | null | undefined, message: object): void {
  inner?.postMessage(message, '*')
}

const MOST_BYTES = 8 * 1024 * 1024

/** Undefined if the file is not visible or too large. The preview shows the newest visible version. */
async function readShownFile(
  api: Api,
  found: Promise<FileRecord | undefined>,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  try {
    const file = await found
    if (file === undefined || file.size > MOST_BYTES) return undefined
    const bytes = await readBytes(api, { file, version: file.version, mayRead: true }, signal)
    return new Blob([bytes], { type: file.mime_type })
  } catch {
    // The place stays empty.
    return undefined
  }
}
