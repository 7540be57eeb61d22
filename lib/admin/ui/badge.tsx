// A short status label, and the state of a file in words.
//
//   <StatusBadge file={file} />
//   <Badge>{t.keys.inactive}</Badge>

import type { ComponentChildren } from 'preact'
import { useTexts } from '../texts/use-texts.ts'
import { type StatusFacts, statusOf } from './file-status.ts'

export interface BadgeProps {
  readonly children: ComponentChildren
  readonly kind?: 'live' | 'staged' | 'draft' | 'danger'
  /** The tooltip. */
  readonly title?: string | undefined
}

export function Badge({ children, kind = 'draft', title }: BadgeProps) {
  return (
    <span class={`badge badge-${kind}`} title={title}>
      {children}
    </span>
  )
}

/** The state of one version. */
export function StateBadge({ state }: { readonly state: 'live' | 'staged' | 'draft' }) {
  const { t } = useTexts()
  return <Badge kind={state}>{t.state[state]}</Badge>
}

interface StatusBadgeProps {
  readonly file: StatusFacts
  readonly isDamaged?: boolean | undefined
}

/** The state of a file: what visitors get, and what is planned. */
export function StatusBadge({ file, isDamaged }: StatusBadgeProps) {
  const speech = useTexts()
  return (
    <span class="badges">
      {statusOf(file, speech, { isDamaged }).map(({ text, ...look }) => (
        <Badge key={text} {...look}>
          {/* A long state wraps between its parts only. */}
          <span class="badge-text">
            <span class="badge-parts">
              {text.split(' · ').map((part, at) => (
                <span key={part} class="badge-part">
                  {at > 0 && <span class="badge-dot"> · </span>}
                  {part}
                </span>
              ))}
            </span>
          </span>
        </Badge>
      ))}
    </span>
  )
}
