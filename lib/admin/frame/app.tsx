// The root component: creates the clients and the texts, and renders the routes.

import { LocationProvider } from 'preact-iso/router'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { ADMIN_PATH } from '../client/address.ts'
import { useCell } from '../client/cell.ts'
import { ClientProvider, openClient, useClient } from '../client/client-context.ts'
import { SignInForm } from '../pages/sign-in/sign-in.tsx'
import { SpeechProvider, useTexts } from '../texts/use-texts.ts'
import { ActionsProvider } from '../ui/actions.tsx'
import { ConfirmProvider } from '../ui/confirm.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { DockProvider } from '../ui/dock.tsx'
import { ToastProvider, useToast } from '../ui/toast.tsx'
import { useFocusKeeper } from './focus-keeper.ts'
import type { PageDefinition } from './page-definition.ts'
import { PreferencesProvider, usePreferences } from './preferences.ts'
import { Routes } from './routes.tsx'

export function App({ pages }: { readonly pages: readonly PageDefinition[] }) {
  const client = useMemo(openClient, [])
  const preferences = usePreferences()
  useEffect(() => void client.session.start(), [])
  useFocusKeeper()
  // The texts load in parallel with the session.
  if (preferences.speech === undefined) return null

  return (
    <ClientProvider value={client}>
      <PreferencesProvider value={preferences}>
        <SpeechProvider value={preferences.speech}>
          <LocationProvider scope={ADMIN_PATH}>
            <ToastProvider>
              <ActionsProvider>
                <ConfirmProvider>
                  <DockProvider>
                    <ConnectionBar />
                    <DropGuard />
                    <Routes pages={pages} />
                    <SessionDialog />
                  </DockProvider>
                </ConfirmProvider>
              </ActionsProvider>
            </ToastProvider>
          </LocationProvider>
        </SpeechProvider>
      </PreferencesProvider>
    </ClientProvider>
  )
}

/** Loads after the first view. Without this guard, the browser opens dropped files. */
function DropGuard() {
  const { t } = useTexts()
  const toast = useToast()
  const refuse = useRef<() => void>()
  refuse.current = () => toast({ text: t.general.dropElsewhere, name: 'drop', isFault: true })
  useEffect(() => {
    import('./drop-guard.ts').then(
      ({ guardDrops }) => guardDrops(() => refuse.current?.()),
      () => undefined,
    )
  }, [])
  return null
}

/** Shows that the server is unreachable. The bar overlays the page and shifts nothing. */
function ConnectionBar() {
  const { t } = useTexts()
  const isLost = useCell(useClient().connection.state) === 'lost'
  return (
    <div class="connection-bar" role="status">
      {isLost && <p>{t.connection.lost}</p>}
    </div>
  )
}

/**
 * The sign-in dialog over the page after the session has expired. Pending requests resume after the sign-in.
 */
function SessionDialog() {
  const { t } = useTexts()
  const state = useCell(useClient().session.state)
  if (state.kind !== 'over') return null
  return (
    <Dialog title={t.signIn.over} isOpaque>
      <p>{t.signIn.overText}</p>
      <SignInForm userName={state.me.user.name} />
    </Dialog>
  )
}
