// A highlighted message: an error, a result or a hint.
//
//   <Notice kind="danger" title={t.problems.unknown}>{detail}</Notice>
//   <ProblemNotice error={error} onRetry={reload} />

import type { ComponentChildren } from 'preact'
import { pathOf } from '../client/address.ts'
import { Problem } from '../client/problem.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import { Link } from './link.tsx'
import { useProblemText } from './use-problem-text.ts'

export interface NoticeProps {
  readonly kind: 'info' | 'success' | 'danger'
  readonly title?: string
  readonly children?: ComponentChildren
  readonly actions?: ComponentChildren
}

const ICONS: Readonly<Record<NoticeProps['kind'], IconName>> = {
  info: 'info',
  success: 'check',
  danger: 'alert',
}

export function Notice({ kind, title, children, actions }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role={kind === 'danger' ? 'alert' : 'status'}>
      <Icon name={ICONS[kind]} />
      <div class="notice-text">
        {title !== undefined && <p class="notice-title">{title}</p>}
        {children !== undefined && <div>{children}</div>}
      </div>
      {actions}
    </div>
  )
}

/** The page that explains the user's own permissions. */
export const WHY_DENIED = '/profile/tokens?why='

export interface ProblemNoticeProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

export function ProblemNotice({ error, onRetry }: ProblemNoticeProps) {
  const { t } = useTexts()
  const { title, detail } = useProblemText()(error)
  const isDenied = error instanceof Problem && error.code === 'grant-missing'
  return (
    <Notice
      kind="danger"
      title={title}
      actions={onRetry !== undefined && <Button onPress={onRetry}>{t.general.reload}</Button>}
    >
      {detail}
      {isDenied && (
        <p>
          <Link href={pathOf(WHY_DENIED)}>{t.forbidden.why}</Link>
        </p>
      )}
    </Notice>
  )
}
