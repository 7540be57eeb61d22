// A page of the documents in the frame of this area, signed in already. It asks for a secret by a message whenever it
// sends a request, and is given that of the moment: none is written down anywhere, and none outlives its minutes.

import { useLocation } from 'preact-iso/router'
import { useEffect, useRef } from 'preact/hooks'
import { pathOf, SERVER } from '../../client/address.ts'
import { useClient } from '../../client/client-context.ts'
import type { Session } from '../../client/session.ts'
import { Page } from '../../ui/page.tsx'
import { isDark, useThemeChange } from '../../ui/use-theme-change.ts'

export interface DocumentFrameProps {
  readonly title: string
  /** Below the server. */
  readonly path: string
}

/** By the name that each has at the server. */
const PAGES: Readonly<Record<string, string>> = {
  system: '/documents/system',
  module: '/documents/module',
}

export function DocumentFrame({ title, path }: DocumentFrameProps) {
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
  // Nobody waits for it any more where it fails.
  const secret = await session.secret(signal).catch(() => undefined)
  if (secret !== undefined) tell(inner, { type: 'cms-key', secret, isDark: isDark() })
}

/** To pages of this server alone. */
function tell(inner: Window | null | undefined, message: object): void {
  inner?.postMessage(message, location.origin)
}

function isObject(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null
}
