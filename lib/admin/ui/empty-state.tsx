// Shown in place of an empty list: what belongs here, and a button that creates the first item.
//
//   <EmptyState icon="key" title={t.keys.empty} action={<Button kind="primary">{t.acts.newKey}</Button>}>{t.keys.emptyText}</EmptyState>

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

export interface EmptyStateProps {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
  readonly action?: ComponentChildren
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div class="empty-state">
      <Icon name={icon} />
      <p class="empty-state-title">{title}</p>
      {children !== undefined && <p>{children}</p>}
      {action}
    </div>
  )
}
