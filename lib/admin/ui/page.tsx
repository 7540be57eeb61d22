// The frame of a page: its heading, which is the tab title and takes the focus when the page opens, the actions, and
// the content.
//
//   <Page title={t.titles.keys} actions={<Button kind="primary" icon="plus">{t.acts.newKey}</Button>}>…</Page>

import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'
import { Loading } from './skeleton.tsx'
import type { Requested } from './use-request.ts'

interface PageProps {
  readonly title: string
  /** Follows the heading, and is not part of the tab title. */
  readonly mark?: ComponentChildren
  readonly intro?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
  /** Uses the full width, for tables. */
  readonly isWide?: boolean
  /** Replaces the heading, the introduction and the actions. */
  readonly head?: ComponentChildren
}

export function Page({ title, mark, intro, actions, children, isWide, head }: PageProps) {
  useTitle(title)
  const hasHead = head !== undefined && head !== false
  return (
    <div class={isWide === true ? 'page page-wide' : 'page'}>
      {hasHead ? (
        head
      ) : (
        <header class="page-head">
          <div class="page-title">
            <div class="page-heading">
              <h1 tabIndex={-1}>{title}</h1>
              {mark}
            </div>
            {intro !== undefined && <p class="page-intro">{intro}</p>}
          </div>
          {actions !== undefined && <div class="page-actions">{actions}</div>}
        </header>
      )}
      {children}
    </div>
  )
}

/** A section with a heading. */
export function Section({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section class="section">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

/** Sets the title of the document. */
function useTitle(title: string): void {
  const { t } = useTexts()
  useEffect(() => {
    document.title = `${title} – ${t.general.product}`
  }, [title, t])
}

/**
 * A page with a single box: sign-in and the first steps.
 *
 *   <NarrowPage title={t.signIn.title} above={t.welcome.step}>…</NarrowPage>
 */
interface NarrowPageProps {
  readonly title: string
  /** Small text above the heading: the current step. */
  readonly above?: string
  readonly children: ComponentChildren
}

export function NarrowPage({ title, above, children }: NarrowPageProps) {
  useTitle(title)
  return (
    <div class="narrow-page">
      <div class="narrow-page-head">
        {above !== undefined && <p class="quiet">{above}</p>}
        <h1 tabIndex={-1}>{title}</h1>
      </div>
      {children}
    </div>
  )
}

/**
 * A page whose record is loading or could not be read.
 *
 *   if (found.data === undefined) return <LoadingPage title={t.titles.key} intro={up} found={found} />
 */
interface LoadingPageProps extends Pick<PageProps, 'title' | 'intro' | 'isWide'> {
  readonly found: Pick<Requested<unknown>, 'error' | 'reload'>
  readonly lines?: number
  /** Follows the error. */
  readonly children?: ComponentChildren
}

export function LoadingPage({ found, lines = 8, children, ...page }: LoadingPageProps) {
  return (
    <Page {...page}>
      <Loading {...found} data={undefined} lines={lines} />
      {found.error !== undefined && children}
    </Page>
  )
}
