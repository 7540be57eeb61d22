// A page with a single box: sign-in and the first steps.
//
//   <NarrowPage title={t.signIn.title} above={t.welcome.step}>…</NarrowPage>

import type { ComponentChildren } from 'preact'
import { useTitle } from './use-title.ts'

export interface NarrowPageProps {
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
