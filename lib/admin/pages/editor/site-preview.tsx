// The page of a file on its site, as if everything staged were published. The frame shows the host of the site, so its scripts
// run there and cannot reach the area. It is loaded again when a file changes, in this tab or in another one.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { hasSites, onSiteChange } from '../../client/site-changes.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice, ProblemNotice } from '../../ui/notice.tsx'
import { useRequest } from '../../ui/use-request.ts'
import type { FolderRecord } from '../content/records.ts'
import { NewLink } from '../file/new-link.tsx'
import { type PreviewWidth, useScaled, WidthButtons } from './preview-widths.tsx'

/**
 * Without allow-same-origin, the page would lack fonts, modules, storage and its own data. The frame is on another host than
 * the area, so it gains nothing here. It may not navigate the area or open dialogs over it.
 */
const SANDBOX = 'allow-forms allow-popups allow-same-origin allow-scripts'

/** Whether a file of the folder can be on a site; the server decides. */
export function mayBeOnSite(line: readonly FolderRecord[]): boolean {
  return hasSites() && line.at(-1)?.is_public === true
}

interface SitePreviewProps {
  readonly fileId: number
  readonly initialWidth?: PreviewWidth
  /** Shown if no site shows the file, or the user may not preview the site. */
  readonly instead?: ComponentChildren
  /** More buttons beside the widths. */
  readonly children?: ComponentChildren
}

export function SitePreview({
  fileId,
  initialWidth = 'tablet',
  instead,
  children,
}: SitePreviewProps) {
  const { t } = useTexts()
  const api = useApi()
  const [width, setWidth] = useState<PreviewWidth>(initialWidth)
  const made = useRequest(
    (signal) => dataOf(api.POST('/preview', { signal, body: { asset_file_id: fileId } })),
    [fileId],
  )
  useEffect(() => onSiteChange(made.reload), [made.reload])
  const { data, error } = made
  const url = error === undefined ? data?.url : undefined
  const frame = useRef<HTMLIFrameElement>(null)
  const box = useScaled(frame, width, url)
  const isElsewhere = error instanceof Problem && NOT_ON_SITE.has(error.code)
  if (isElsewhere && instead !== undefined) return <>{instead}</>

  return (
    <section class="preview" aria-label={t.editor.site.title}>
      <div class="preview-bar">
        <WidthButtons width={width} onChoose={setWidth} />
        {children}
        <Button kind="quiet" icon="repeat" label={t.editor.site.reload} onPress={made.reload} />
        {url !== undefined && <ShareButton fileId={fileId} />}
        {url !== undefined && (
          <a
            class="button button-quiet button-sign"
            href={url}
            target="_blank"
            rel="noopener"
            aria-label={t.editor.site.open}
            title={t.editor.site.open}
          >
            <Icon name="external" />
          </a>
        )}
      </div>
      {error !== undefined && <Refusal error={error} onRetry={made.reload} />}
      <div ref={box} class="preview-box" hidden={error !== undefined}>
        {url !== undefined && (
          <iframe
            // Another element per address, so that the Back button leads out of the page.
            key={url}
            ref={frame}
            class="preview-frame"
            src={url}
            sandbox={SANDBOX}
            title={t.editor.site.title}
          />
        )}
      </div>
      <p class="code-hint">{t.editor.site.hint}</p>
    </section>
  )
}

/** Makes a link for people without an account, which outlasts the session. */
function ShareButton({ fileId }: { readonly fileId: number }) {
  const { t, formats } = useTexts()
  const [isAsking, setIsAsking] = useState(false)
  const [made, setMade] = useState<{ readonly url: string | null; readonly date_expires: string }>()
  const close = (): void => setMade(undefined)
  return (
    <>
      <Button
        kind="quiet"
        icon="send"
        label={t.editor.site.share}
        onPress={() => setIsAsking(true)}
      />
      {isAsking && (
        <NewLink
          fileId={fileId}
          targets={['preview']}
          onClose={() => setIsAsking(false)}
          onDone={(link) => {
            setIsAsking(false)
            setMade(link)
          }}
        />
      )}
      {made !== undefined && (
        <Dialog title={t.editor.site.share} onClose={close}>
          <CodeLine text={made.url ?? ''} label={t.editor.site.sharedLabel} />
          <p>
            {fill(t.editor.site.shared, {
              time: formats.dateTime(new Date(made.date_expires)),
            })}
          </p>
          <div class="dialog-actions">
            <Button kind="primary" onPress={close}>
              {t.editor.site.sharedDone}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** Problems of a file that no site shows, and of people who may not preview a site. */
const NOT_ON_SITE: ReadonlySet<string> = new Set(['invalid-content', 'grant-missing'])

interface RefusalProps {
  readonly error: unknown
  readonly onRetry: () => void
}

function Refusal({ error, onRetry }: RefusalProps) {
  const { t } = useTexts()
  const reason = reasonOf(error, t)
  return reason === undefined ? (
    <ProblemNotice error={error} onRetry={onRetry} />
  ) : (
    <Notice kind="info">{reason}</Notice>
  )
}

function reasonOf(error: unknown, { editor: { site } }: Speech['t']): string | undefined {
  if (!(error instanceof Problem)) return undefined
  if (error.code === 'not-published') return site.notStaged
  return error.code === 'invalid-content' ? site.elsewhere : undefined
}
