// A live preview in a sandboxed frame: it runs no scripts and reaches no cookies or storage. The width is that of a
// phone, a tablet or a desktop. Files of this site are loaded by this page and passed to the frame.

import { useEffect, useRef, useState } from 'preact/hooks'
import { SERVER } from '../../client/address.ts'
import type { Api } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { isObject, readStored, writeStored } from '../../client/stored.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { type FileRecord, readFile, searchFiles } from '../content/records.ts'
import { readBytes } from '../content/thumbnail.tsx'
import type { CodeParts, Language } from './code-language.ts'

interface PreviewProps {
  readonly file: FileRecord
  readonly parts: Pick<CodeParts, 'language' | 'toPage'>
  readonly text: string
}

const SHOWN_LANGUAGES: ReadonlySet<Language> = new Set(['html', 'stml', 'markdown'])

export function canPreview(language: Language, { mime_type: type }: FileRecord): boolean {
  return SHOWN_LANGUAGES.has(language) || type === SVG
}

const SVG = 'image/svg+xml'

const WIDTHS = { phone: 375, tablet: 768, desktop: 1_280 } as const

type Width = keyof typeof WIDTHS

const PAUSE_MS = 250

export function Preview({ file, parts: { language, toPage }, text }: PreviewProps) {
  const { t } = useTexts()
  const [width, setWidth] = useState<Width>('tablet')
  const frame = useRef<HTMLIFrameElement>(null)
  const box = useScaled(frame, WIDTHS[width])
  usePreviewed({ frame, file, kind: file.mime_type === SVG ? 'svg' : 'html', text, toPage })
  return (
    <section class="preview" aria-label={t.editor.preview}>
      <div class="preview-bar" role="group" aria-label={t.editor.width}>
        {(Object.keys(WIDTHS) as readonly Width[]).map((each) => (
          <Button key={each} kind="quiet" isPressed={each === width} onPress={() => setWidth(each)}>
            {t.editor.widths[each]}
          </Button>
        ))}
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

/** Renders at the chosen width, scaled down to the available space. */
function useScaled(frame: { readonly current: HTMLIFrameElement | null }, width: number) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const fit = (): void => {
      if (box.current === null || frame.current === null) return
      const { clientWidth, clientHeight } = box.current
      const scale = Math.min(1, clientWidth / width)
      const { style } = frame.current
      style.width = `${width}px`
      style.height = `${clientHeight / scale}px`
      style.scale = String(scale)
      style.left = `${Math.max(0, (clientWidth - width) / 2)}px`
    }
    const observer = new ResizeObserver(fit)
    if (box.current !== null) observer.observe(box.current)
    fit()
    return () => observer.disconnect()
  }, [width])
  return box
}

interface Previewed {
  readonly frame: { readonly current: HTMLIFrameElement | null }
  readonly file: FileRecord
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
function usePreviewed({ frame, file, kind, text, toPage }: Previewed): void {
  const api = useApi()
  const [isReady, setIsReady] = useState(false)
  useEffect(() => {
    const gone = new AbortController()
    const onMessage = ({ source, data }: MessageEvent<unknown>): void => {
      const inner = frame.current?.contentWindow
      if (inner === null || inner === undefined || source !== inner || !isObject(data)) return
      if (data['type'] === 'cms-ready') setIsReady(true)
      const address = data['type'] === 'cms-want' ? data['address'] : undefined
      if (typeof address !== 'string') return
      void readShownFile(api, { file, address }, gone.signal).then((blob) =>
        tell(inner, { type: 'cms-file', address, blob }),
      )
    }
    addEventListener('message', onMessage, { signal: gone.signal })
    return () => gone.abort()
  }, [api, file.parent_category_id])
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

const SHOWN = 'cms.preview'

/** Whether the preview is shown, as stored in this browser. */
export function storedPreview(): boolean {
  return readStored(SHOWN) !== 'no' && matchMedia('(min-width: 68rem)').matches
}

export function storePreview(isShown: boolean): void {
  writeStored(SHOWN, isShown ? 'yes' : 'no')
}

const MOST_BYTES = 8 * 1024 * 1024

interface ShownFile {
  /** The previewed page. */
  readonly file: FileRecord
  /** As written in the page. */
  readonly address: string
}

/**
 * Reads an image or style sheet of the page that is a file of this site: by address (/file/7/room.png), or by the name
 * of a file in the same folder, in its newest visible version. Undefined for an address of another site, and if the
 * file is not visible or too large.
 */
async function readShownFile(
  api: Api,
  shown: ShownFile,
  signal: AbortSignal,
): Promise<Blob | undefined> {
  try {
    const file = await findShown(api, shown, signal)
    if (file === undefined || file.size > MOST_BYTES) return undefined
    const bytes = await readBytes(api, { file, version: file.version, mayRead: true }, signal)
    return new Blob([bytes], { type: file.mime_type })
  } catch {
    // The place stays empty.
    return undefined
  }
}

async function findShown(
  api: Api,
  { file, address }: ShownFile,
  signal: AbortSignal,
): Promise<FileRecord | undefined> {
  const url = URL.canParse(address, `${SERVER}/`) ? new URL(address, `${SERVER}/`) : undefined
  if (url?.origin !== new URL(SERVER).origin) return undefined
  const [, id] = /\/file\/(\d{1,15})\/[^/]+$/.exec(url.pathname) ?? []
  if (id !== undefined) return (await readFile(api, Number(id), signal)).record
  const [, name] = /^(?:\.\/)?([^/?#]+)(?:[?#].*)?$/.exec(address) ?? []
  if (name === undefined) return undefined
  const qry = { parent_category_id: file.parent_category_id, name: decoded(name) }
  const { rows } = await searchFiles(api, { qry, orderStr: 'asset_file_id', length: 1 }, signal)
  return rows[0]
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
