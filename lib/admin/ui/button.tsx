// A button, or a link that looks like a button. A busy button ignores clicks and keeps its width.
//
//   <Button onPress={save} kind="primary" isBusy={isSaving}>{t.general.save}</Button>
//   <Button onPress={close} icon="close" label={t.general.close} />        an icon button needs a label
//   <ButtonLink href={pathOf('/keys')} icon="key">{t.titles.keys}</ButtonLink>

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { Link } from './link.tsx'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

interface Looks {
  /** A page has at most one primary button. */
  readonly kind?: Kind
  readonly icon?: IconName
  /** Accessible name and tooltip of an icon button. */
  readonly label?: string
  readonly children?: ComponentChildren
}

export interface ButtonProps extends Looks {
  readonly onPress?: (event: MouseEvent) => void
  readonly type?: 'button' | 'submit'
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  /** For toggle buttons. */
  readonly isPressed?: boolean
  /** For buttons that show or hide content. */
  readonly isExpanded?: boolean
}

export function Button({
  onPress,
  type = 'button',
  isBusy,
  isDisabled,
  isPressed,
  isExpanded,
  ...looks
}: ButtonProps) {
  const { label } = looks
  return (
    <button
      type={type}
      class={classOf(looks)}
      onClick={(event) => (isBusy === true ? event.preventDefault() : onPress?.(event))}
      disabled={isDisabled}
      aria-busy={isBusy}
      aria-pressed={isPressed}
      aria-expanded={isExpanded}
      aria-label={label}
      title={label}
    >
      <Inner {...looks} />
    </button>
  )
}

export function ButtonLink({ href, ...looks }: Looks & { readonly href: string }) {
  return (
    <Link href={href} class={classOf(looks)} label={looks.label}>
      <Inner {...looks} />
    </Link>
  )
}

function Inner({ icon, children }: Looks) {
  return (
    <>
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </>
  )
}

function classOf({ kind = 'plain', children }: Looks): string {
  return `button button-${kind}${children === undefined ? ' button-sign' : ''}`
}
