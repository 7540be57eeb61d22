// A link. The router opens links to pages of this area without a reload.
//
//   <Link href={pathOf('/keys')}>{t.titles.keys}</Link>
//   <Link href={`${SERVER}/docs`}>{t.frame.systemApi}</Link>

import type { ComponentChildren } from 'preact'

export interface LinkProps {
  readonly href: string
  readonly children?: ComponentChildren
  readonly class?: string
  /** Accessible name instead of the content. */
  readonly label?: string | undefined
  readonly isCurrent?: boolean
}

export function Link({ href, children, class: name, label, isCurrent }: LinkProps) {
  return (
    <a
      href={href}
      class={name ?? 'link'}
      aria-label={label}
      title={label}
      aria-current={isCurrent === true ? 'page' : undefined}
    >
      {children}
    </a>
  )
}
