// Shows an API document in a frame, already signed in. Before each request, the document asks for a secret by a
// message and receives the current one. Secrets are not stored and expire after minutes.

import { useLocation } from 'preact-iso/router'
import { useEffect, useRef } from 'preact/hooks'
import { pathOf, SERVER } from '../../client/address.ts'
import { useClient } from '../../client/client-context.ts'
import type { Session } from '../../client/session.ts'
import { isObject } from '../../client/stored.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Page } from '../../ui/page.tsx'
import { isDark, useThemeChange } from '../../ui/use-theme-change.ts'

interface DocumentFrameProps {
  readonly title: string
  /** Path below the server. */
  readonly path: string
}

/** Keyed by the names that the server uses. */
const PAGES: Readonly<Record<string, string>> = {
  system: '/documents/system',
  module: '/documents/module',
}

function DocumentFrame({ title, path }: DocumentFrameProps) {
  const { session } = useClient()
  const { route } = useLocation()
  const frame = useRef<HTMLIFrameElement>(null)

  useEffect(() => {
    const gone = new AbortController()
    const onMessage = ({ source, origin, data }: MessageEvent<unknown>): void => {
      const inner = frame.current?.contentWindow
      if (source !== inner || inner === null || inner === undefined) return
      if (origin !== location.origin || !isObject(data)) return
      if (data['type'] === 'cms-ask-key') void give(session, inner, gone.signal)
      const page = data['type'] === 'cms-open' ? PAGES[String(data['name'])] : undefined
      if (page !== undefined) route(pathOf(page))
    }
    addEventListener('message', onMessage, { signal: gone.signal })
    return () => gone.abort()
  }, [session])
  useThemeChange(() => tell(frame.current?.contentWindow, { type: 'cms-theme', isDark: isDark() }))

  return (
    <Page title={title} isWide>
      <iframe ref={frame} class="document-frame" src={`${SERVER}${path}`} title={title} />
    </Page>
  )
}

async function give(session: Session, inner: Window, signal: AbortSignal): Promise<void> {
  // If this fails, the document no longer waits for a secret.
  const secret = await session.secret(signal).catch(() => undefined)
  if (secret !== undefined) tell(inner, { type: 'cms-key', secret, isDark: isDark() })
}

/** Sends messages only to pages of this server. */
function tell(inner: Window | null | undefined, message: object): void {
  inner?.postMessage(message, location.origin)
}

/** The System API document. */
export function SystemPage() {
  const { t } = useTexts()
  return <DocumentFrame title={t.frame.systemApi} path="/public/api/system" />
}

/**
 * The Module API document of this site. /documents/module?module=datatable/5 opens it at that module.
 */
export function ModulePage() {
  const { t } = useTexts()
  const { module } = useLocation().query
  const isOne = module !== undefined && /^(?:datatable|calendar)\/[1-9]\d{0,14}$/.test(module)
  const path = isOne ? `/public/api/module?module=${module}` : '/public/api/module'
  return <DocumentFrame title={t.frame.moduleApi} path={path} />
}
