// A button, or a link that looks like one. While busy it takes no second press, and keeps its width.
//
//   <Button onPress={save} kind="primary" isBusy={isSaving}>{t.general.save}</Button>
//   <Button onPress={close} icon="close" label={t.general.close} />        a sign alone wants a label
//   <ButtonLink href={pathOf('/keys')} icon="key">{t.titles.keys}</ButtonLink>

import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'
import { Link } from './link.tsx'

type Kind = 'primary' | 'plain' | 'quiet' | 'danger'

interface Looks {
  /** One primary at most is on a page. */
  readonly kind?: Kind
  readonly icon?: IconName
  /** Of a sign alone: read out, and shown by the browser. */
  readonly label?: string
  readonly children?: ComponentChildren
}

export interface ButtonProps extends Looks {
  readonly onPress?: (event: MouseEvent) => void
  readonly type?: 'button' | 'submit'
  readonly isBusy?: boolean
  readonly isDisabled?: boolean
  /** Of a button that stays down. */
  readonly isPressed?: boolean
  /** Of a button that shows more below it. */
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
