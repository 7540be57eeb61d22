// Chooses the page by URL, session and permissions. The previous page stays until the next page is loaded. Then the
// heading of the new page takes the focus, so that screen readers announce it.

import { ErrorBoundary } from 'preact-iso/lazy'
import { Route, Router, useLocation } from 'preact-iso/router'
import { useEffect, useRef } from 'preact/hooks'
import { ADMIN_PATH, pageOf, pathOf } from '../client/address.ts'
import { useCell } from '../client/cell.ts'
import { useClient } from '../client/client-context.ts'
import { ForbiddenPage, UnknownPage } from '../pages/error/error-pages.tsx'
import { SignInPage } from '../pages/sign-in/sign-in.tsx'
import { BareFrame, Frame } from './frame.tsx'
import { lazyPage } from './lazy-page.tsx'
import type { PageDefinition } from './page-definition.ts'
import { useAllPreferences } from './preferences.ts'

const SIGN_IN = '/sign-in'

export function Routes({ pages }: { readonly pages: readonly PageDefinition[] }) {
  const { path } = useLocation()
  const state = useCell(useClient().session.state)
  const hasSignedIn = useRef(false)
  const page = pageOf(path)
  const open = pages.filter(({ isOpen }) => isOpen === true)
  if (open.some((each) => each.path === page)) {
    return (
      <BareFrame>
        <Pages pages={open} />
      </BareFrame>
    )
  }
  if (state.kind === 'starting') return null
  if (state.kind === 'none') {
    hasSignedIn.current = true
    return (
      <BareFrame>
        <SignInPage />
      </BareFrame>
    )
  }
  if (page === SIGN_IN) return <ToStart />

  const { me } = state
  const isSeen = ({ isFor }: PageDefinition): boolean => isFor === undefined || isFor(me)
  return (
    <Frame pages={pages.filter(isSeen)} takesFocus={hasSignedIn.current}>
      <Pages pages={pages} isSeen={isSeen} />
    </Frame>
  )
}

interface PagesProps {
  readonly pages: readonly PageDefinition[]
  readonly isSeen?: (page: PageDefinition) => boolean
}

function Pages({ pages, isSeen = () => true }: PagesProps) {
  const { connection } = useClient()
  const { addTexts } = useAllPreferences()
  return (
    <ErrorBoundary>
      <Router onRouteChange={focusHeading}>
        {pages.map((page) => (
          <Route
            key={page.path}
            path={pathOf(page.path)}
            component={isSeen(page) ? lazyPage(page, { connection, addTexts }) : ForbiddenPage}
          />
        ))}
        <Route default component={UnknownPage} />
      </Router>
    </ErrorBoundary>
  )
}

/** A signed-in user does not need the sign-in page. */
function ToStart() {
  const { route } = useLocation()
  useEffect(() => route(ADMIN_PATH, true), [])
  return null
}

function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus()
}
