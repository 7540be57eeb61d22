// Ends the session of this browser, and shows the sign-in page.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../client/address.ts'
import { useClient } from '../client/client-context.ts'
import { useToast } from './toast.tsx'

export function useSignOut(): () => Promise<void> {
  const { session } = useClient()
  const { route } = useLocation()
  const toast = useToast()
  return async () => {
    try {
      await session.signOut()
      route(pathOf('/sign-in'))
    } catch (error) {
      toast.problem(error)
    }
  }
}
