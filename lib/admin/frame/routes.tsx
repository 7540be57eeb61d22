// Chooses the page by URL, session and permissions. The previous page stays until the next page is loaded. Then the
// heading of the new page takes the focus, so that screen readers announce it.

import type { ComponentType } from 'preact'
import lazy, { ErrorBoundary } from 'preact-iso/lazy'
import { Route, Router, useLocation, useRoute } from 'preact-iso/router'
import { useEffect, useErrorBoundary, useRef } from 'preact/hooks'
import { ADMIN_PATH, pageOf, pathOf } from '../client/address.ts'
import { useCell } from '../client/cell.ts'
import { useClient, useMe } from '../client/client-context.ts'
import type { Connection } from '../client/connection.ts'
import { loadPageStyle } from '../client/page-style.ts'
import { noteOpened } from '../client/recent.ts'
import { ForbiddenPage, UnknownPage } from '../pages/error/error-pages.tsx'
import { SignInPage } from '../pages/sign-in/sign-in.tsx'
import type { OpenTexts } from '../texts/open-texts.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { BareFrame, Frame } from './frame.tsx'
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
  const userId = useMe()?.user.user_id
  const { path } = useLocation()
  useEffect(() => {
    if (userId !== undefined) noteOpened(userId, path)
  }, [userId, path])
  const { t } = useTexts()
  const shown = pages
    .filter((page) => page.shown !== undefined && isSeen(page))
    .map(({ path: at, title }) => ({ path: at, title: title(t) }))
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
        <Route default component={UnknownPage} pages={shown} />
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

/** A person may already have moved the focus to a message about the previous page, for example to undo a deletion. */
function focusHeading(): void {
  if (document.querySelector('.toasts:focus-within') !== null) return
  document.querySelector<HTMLElement>('main h1')?.focus()
}

type Load = () => Promise<ComponentType>

const TRIED = 'cms.reloaded'

const known = new WeakMap<Load, ComponentType>()

interface Loading {
  readonly connection: Connection
  readonly addTexts: OpenTexts['add']
}

/**
 * Loads a page when it is first opened. A failed load means that the server is unreachable, or that it was updated.
 * After the connection is back, the browser reloads once by itself; after that, the user has to reload. Returns the same
 * component each time; otherwise the page would be rebuilt with every render of the frame.
 */
function lazyPage(page: PageDefinition, { connection, addTexts }: Loading): ComponentType {
  const { load, texts } = page
  // Pages with texts of their own have forms or searches, whose requests can be rejected, and styles of their own.
  const loadAll: Load = async () => {
    if (texts === undefined) return load()
    const [component] = await Promise.all([load(), addTexts(['faults', ...texts]), loadPageStyle()])
    return component
  }
  const component = known.get(load) ?? guarded(lazy(() => loadOrTell(loadAll, connection)))
  known.set(load, component)
  return component
}

/** A record identifier in a URL, limited to the digits that a JavaScript number represents exactly. */
const NUMBER = /^[1-9]\d{0,14}$/

/** Keeps the navigation usable when a page throws. A URL with an invalid identifier shows the not-found page. */
function guarded(Inner: ComponentType): ComponentType {
  return function Guarded() {
    // The type of the thrown value is unknown.
    const [failure] = useErrorBoundary() as [unknown, () => void]
    const id = useRoute().params['id']
    if (id !== undefined && !NUMBER.test(id)) return <UnknownPage />
    return failure === undefined ? <Inner /> : <PageBroken error={failure} />
  }
}

async function loadOrTell(
  load: Load,
  connection: Connection,
): Promise<{ readonly default: ComponentType }> {
  try {
    return { default: await loadTwice(load, connection) }
  } catch {
    if (sessionStorage.getItem(TRIED) !== null) return { default: LoadFailed }
    sessionStorage.setItem(TRIED, location.pathname)
    location.reload()
    // Never resolves: the page is being reloaded.
    return new Promise(() => undefined)
  }
}

/** Retries after the connection is back. Reloading while the server is unreachable would leave an empty tab. */
async function loadTwice(load: Load, connection: Connection): Promise<ComponentType> {
  const component = await load().catch(async () => {
    connection.lose()
    await connection.back()
    return load()
  })
  sessionStorage.removeItem(TRIED)
  return component
}

/** Shown in place of a page that failed to load or threw an error. */
function LoadFailed() {
  const { t } = useTexts()
  return <Page title={t.failed.title} intro={t.failed.text} actions={<Reload />} />
}

function PageBroken({ error }: { readonly error: unknown }) {
  const { t } = useTexts()
  return (
    <Page title={t.failed.broken} intro={t.failed.brokenText} actions={<Reload />}>
      <code>{String(error)}</code>
    </Page>
  )
}

function Reload() {
  const { t } = useTexts()
  return (
    <Button kind="primary" onPress={() => location.reload()}>
      {t.failed.reload}
    </Button>
  )
}
