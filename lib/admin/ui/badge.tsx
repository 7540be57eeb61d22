// A short status label. File states have a shape of their own: live, staged or draft.
//
//   <StateBadge state="live" />
//   <Badge>{t.keys.inactive}</Badge>

import type { ComponentChildren } from 'preact'
import { useTexts } from '../texts/use-texts.ts'

export type FileState = 'live' | 'staged' | 'draft'

export interface BadgeProps {
  readonly children: ComponentChildren
  readonly kind?: FileState | 'danger'
}

export function Badge({ children, kind = 'draft' }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>
}

export function StateBadge({ state }: { readonly state: FileState }) {
  const { t } = useTexts()
  return <Badge kind={state}>{t.state[state]}</Badge>
}
