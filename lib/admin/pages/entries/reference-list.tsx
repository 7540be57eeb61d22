// The records of a list of references, in their order. The focus stays in the list when a record is moved or removed.

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Link } from '../../ui/link.tsx'

interface ReferenceItem {
  readonly id: number
  readonly title: string
  /** Undefined where a link would leave unsaved values. */
  readonly href?: string
  readonly preview?: ComponentChildren
}

interface ReferenceListProps {
  readonly label: string
  readonly items: readonly ReferenceItem[]
  readonly isReadOnly: boolean
  /** Receives the identifiers in their new order. */
  readonly onChange: (ids: readonly number[]) => void
}

export function ReferenceList({ label, items, isReadOnly, onChange }: ReferenceListProps) {
  const { t } = useTexts()
  const { list, focus } = useLateFocus()
  const ids = items.map(({ id }) => id)
  const { moveUp, moveDown, removeReference, noReferences } = t.entries.form

  function move(from: number, to: number, id: number): void {
    focus({ at: to, button: to < from ? 0 : 1 })
    onChange(ids.toSpliced(from, 1).toSpliced(to, 0, id))
  }

  if (items.length === 0) return <p class="reference-none quiet">{noReferences}</p>
  return (
    <ol ref={list} class="reference-list" aria-label={label}>
      {items.map(({ id, title, href, preview }, at) => (
        <li key={id}>
          {preview}
          {href === undefined ? (
            <bdi class="reference-title">{title}</bdi>
          ) : (
            <Link href={href} class="link reference-title">
              <bdi>{title}</bdi>
            </Link>
          )}
          {!isReadOnly && (
            <span class="reference-actions">
              <Button
                kind="quiet"
                icon="chevronUp"
                label={fill(moveUp, { name: title })}
                isDisabled={at === 0}
                onPress={() => move(at, at - 1, id)}
              />
              <Button
                kind="quiet"
                icon="chevronDown"
                label={fill(moveDown, { name: title })}
                isDisabled={at === items.length - 1}
                onPress={() => move(at, at + 1, id)}
              />
              <Button
                kind="quiet"
                icon="close"
                label={fill(removeReference, { name: title })}
                onPress={() => {
                  focus({ at: Math.min(at, items.length - 2), button: 2 })
                  onChange(ids.toSpliced(at, 1))
                }}
              />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

interface FocusPlace {
  readonly at: number
  /** Up, down or remove. */
  readonly button: number
}

/** Moves the focus after the next render; a disabled button gives it to the button beside it. */
function useLateFocus() {
  const list = useRef<HTMLOListElement>(null)
  const wanted = useRef<FocusPlace>()
  useLayoutEffect(() => {
    const place = wanted.current
    wanted.current = undefined
    if (place === undefined) return
    const buttons = [...(list.current?.children[place.at]?.querySelectorAll('button') ?? [])]
    const { [place.button]: own, [1 - place.button]: other } = buttons
    const target = own?.disabled === true ? other : own
    target?.focus()
  })
  return {
    list,
    focus(place: FocusPlace): void {
      wanted.current = place
    },
  }
}
