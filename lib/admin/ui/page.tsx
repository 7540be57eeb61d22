// The frame of a page: its heading, which is the tab title and takes the focus when the page opens, the actions, and
// the content.
//
//   <Page title={t.titles.keys} actions={<Button kind="primary" icon="plus">{t.acts.newKey}</Button>}>…</Page>

import type { ComponentChildren } from 'preact'
import { useTitle } from './use-title.ts'

export interface PageProps {
  readonly title: string
  readonly intro?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly children?: ComponentChildren
  /** Uses the full width, for tables. */
  readonly isWide?: boolean
}

export function Page({ title, intro, actions, children, isWide }: PageProps) {
  useTitle(title)
  return (
    <div class={isWide === true ? 'page page-wide' : 'page'}>
      <header class="page-head">
        <div class="page-title">
          <h1 tabIndex={-1}>{title}</h1>
          {intro !== undefined && <p class="page-intro">{intro}</p>}
        </div>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
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
