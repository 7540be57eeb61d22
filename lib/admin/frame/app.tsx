// The root component: creates the clients and the texts, and renders the routes.

import { LocationProvider } from 'preact-iso/router'
import { useEffect, useMemo } from 'preact/hooks'
import { ADMIN_PATH } from '../client/address.ts'
import { ClientProvider, openClient } from '../client/client-context.ts'
import { SpeechProvider } from '../texts/use-texts.ts'
import { ActionsProvider } from '../ui/actions.tsx'
import { ConfirmProvider } from '../ui/confirm.tsx'
import { DockProvider } from '../ui/dock.tsx'
import { ToastProvider } from '../ui/toast.tsx'
import { ConnectionBar } from './connection-bar.tsx'
import { useFocusKeeper } from './focus-keeper.ts'
import type { PageDefinition } from './page-definition.ts'
import { PreferencesProvider, usePreferences } from './preferences.ts'
import { Routes } from './routes.tsx'
import { SessionDialog } from './session-dialog.tsx'

export function App({ pages }: { readonly pages: readonly PageDefinition[] }) {
  const client = useMemo(openClient, [])
  const preferences = usePreferences()
  useEffect(() => void client.session.start(), [])
  useFocusKeeper()
  useEffect(() => {
    // Loads after the first view. Without this guard, the browser opens dropped files.
    import('./drop-guard.ts').then(
      ({ guardDrops }) => guardDrops(),
      () => undefined,
    )
  }, [])
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
