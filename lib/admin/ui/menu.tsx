// A button with a menu. Arrow keys, Home, End and first letters move in the menu, Enter runs an item, and Escape
// closes the menu.
//
//   <Menu button={{ icon: 'more', label: t.keys.actions }} items={[
//     { text: t.keys.rotate, icon: 'history', onChoose: rotate },
//     { text: t.keys.revoke, icon: 'trash', onChoose: revoke, isDangerous: true },
//   ]} />
//
// Items with isChosen form a choice of one, under the heading of their group.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icon.tsx'

export interface MenuItem {
  readonly text: string
  readonly onChoose: () => void
  readonly icon?: IconName
  readonly isDangerous?: boolean
  /** If defined, the item is one option of a choice. */
  readonly isChosen?: boolean
  /** For a choice that another item of the same menu uses: both take one opening of the menu. */
  readonly keepsOpen?: boolean
  /** Heading above the first item of the group. */
  readonly group?: string
}

export interface MenuProps {
  readonly button: {
    readonly icon?: IconName
    /** Accessible name of an icon button; a button with text needs none. */
    readonly label?: string
    readonly content?: ComponentChildren
    readonly class?: string
  }
  readonly items: readonly MenuItem[]
}

export function Menu({ button, items }: MenuProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)

  function close(): void {
    setIsOpen(false)
    opener.current?.focus()
  }

  return (
    <>
      <button
        ref={opener}
        type="button"
        class={button.class ?? 'button button-quiet button-sign'}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-label={button.label}
        title={button.content === undefined ? button.label : undefined}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        {button.icon !== undefined && <Icon name={button.icon} />}
        {button.content}
      </button>
      {isOpen && (
        <List
          id={id}
          opener={opener.current}
          items={items}
          onClose={close}
          onLeave={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

interface ListProps {
  readonly id: string
  readonly opener: HTMLElement | null
  readonly items: readonly MenuItem[]
  readonly onClose: () => void
  /** Closed by moving elsewhere: the focus stays there. */
  readonly onLeave: () => void
}

function List({ id, opener, items, onClose, onLeave }: ListProps) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const list = ref.current
    if (list === null || opener === null) return
    // Shows the menu in the top layer, so that nothing cuts it off.
    list.showPopover()
    place(list, opener.getBoundingClientRect())
    const chosen = list.querySelector<HTMLElement>('[aria-checked="true"]')
    const first = chosen ?? itemsOf(list)[0]
    first?.focus()
  }, [])

  // An effect would run after the paint, and a click in between would leave the menu open.
  useLayoutEffect(() => {
    const outside = (event: Event): void => {
      if (!(event.target instanceof Node)) return
      if (ref.current?.contains(event.target) === true || opener?.contains(event.target) === true)
        return
      onLeave()
    }
    document.addEventListener('pointerdown', outside)
    addEventListener('resize', onLeave)
    return () => {
      document.removeEventListener('pointerdown', outside)
      removeEventListener('resize', onLeave)
    }
  }, [])

  return (
    <div
      ref={ref}
      id={id}
      class="menu"
      role="menu"
      tabIndex={-1}
      popover="manual"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        else if (event.key === 'Tab') onLeave()
        else if (move(ref.current, event.key)) event.preventDefault()
        if (event.key === 'Escape') event.stopPropagation()
      }}
    >
      {items.map((item) => (
        <Item key={`${item.group ?? ''} ${item.text}`} item={item} onClose={onClose} />
      ))}
    </div>
  )
}

function Item({ item, onClose }: { readonly item: MenuItem; readonly onClose: () => void }) {
  const { text, icon, isChosen, isDangerous, group } = item
  return (
    <>
      {group !== undefined && (
        <p class="menu-group" role="presentation">
          {group}
        </p>
      )}
      <button
        type="button"
        class={isDangerous === true ? 'menu-item menu-danger' : 'menu-item'}
        role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
        aria-checked={isChosen}
        tabIndex={-1}
        onClick={() => {
          if (item.keepsOpen !== true) onClose()
          item.onChoose()
        }}
      >
        {isChosen === undefined ? (
          icon !== undefined && <Icon name={icon} />
        ) : (
          <Tick isShown={isChosen} />
        )}
        <span>{text}</span>
      </button>
    </>
  )
}

function Tick({ isShown }: { readonly isShown: boolean }) {
  return <span class="menu-tick">{isShown && <Icon name="check" />}</span>
}

function itemsOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('.menu-item')]
}

/** Returns false for keys without a meaning here. */
function move(list: HTMLElement | null, key: string): boolean {
  const items = list === null ? [] : itemsOf(list)
  const at = items.findIndex((item) => item === document.activeElement)
  const places: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
  }
  const to = places[key] ?? startingWith(items, at, key)
  if (to === undefined || items.length === 0) return false
  items[(to + items.length) % items.length]?.focus()
  return true
}

function startingWith(items: readonly HTMLElement[], at: number, key: string): number | undefined {
  if (key.length !== 1) return undefined
  const order = items.map((_, step) => (at + 1 + step) % items.length)
  const wanted = key.toLowerCase()
  return order.find((each) => items[each]?.textContent.trim().toLowerCase().startsWith(wanted))
}

const GAP = 4

/** Places the menu below the button, or above it if there is more room, inside the window. */
export function place(list: HTMLElement, opener: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = list
  const isBelow = opener.bottom + GAP + height <= innerHeight || opener.top < innerHeight / 2
  const wanted = isBelow ? opener.bottom + GAP : opener.top - GAP - height
  // A long menu covers its button rather than leaving the window.
  const top = Math.min(wanted, innerHeight - GAP - height)
  const isRight = opener.left + width > innerWidth - GAP
  const left = isRight ? opener.right - width : opener.left
  list.style.top = `${Math.max(GAP, top)}px`
  list.style.left = `${Math.max(GAP, left)}px`
}
