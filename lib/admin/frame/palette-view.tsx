// The result list of the palette: pages, records, users and actions. Arrow keys move in the list while the field
// keeps the focus (palette-dialog.tsx), and Enter opens an item.

import { useLocation } from 'preact-iso/router'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { pathOf } from '../client/address.ts'
import { useMe } from '../client/client-context.ts'
import { isObject, parseJson, readStored, writeStored } from '../client/stored.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Icon, ICON_NAMES, type IconName } from '../ui/icon.tsx'
import { Keys } from '../ui/shortcut.tsx'
import type { PaletteViewProps } from './palette-dialog.tsx'
import { type PaletteGroup, type PaletteItem, usePaletteItems } from './palette-items.ts'
import { fit } from './palette-match.ts'
import { usePaletteSearch } from './palette-search.ts'

export function PaletteView(props: PaletteViewProps) {
  const { pages, typed, listId, keys, onMark, onClose, onKeys } = props
  const { t, formats } = useTexts()
  const me = useMe()
  const { items, isSearching } = useItems({ typed, pages, onKeys })
  const { active, moveTo, step } = useActive(items, typed)
  const count = items.length
  const at = items.findIndex(({ id }) => id === active)
  useLayoutEffect(() => onMark({ count, at }), [count, at])
  keys.current = onKey

  function take(item: PaletteItem | undefined): void {
    if (item === undefined) return
    const { href, text, icon, hint } = item
    if (href !== undefined && me !== undefined)
      addRecent(me.user.user_id, { href, text, icon, hint })
    onClose()
    // Lets the focus return to its previous place before the action moves it.
    setTimeout(item.run)
  }

  function onKey(event: KeyboardEvent): void {
    const steps = STEPS[event.key]
    if (steps !== undefined) step(steps)
    else if (event.key === 'Enter' && !event.isComposing)
      take(items.find(({ id }) => id === active))
    else return
    event.preventDefault()
  }

  return (
    <>
      {items.length > 0 && (
        <List id={listId} items={items} active={active} onMove={moveTo} onTake={take} />
      )}
      {count === 0 && !isSearching && <p class="palette-none">{t.palette.nothing}</p>}
      <p class="palette-foot">{t.palette.help}</p>
      <p class="unseen" role="status">
        {isSearching ? t.general.loading : formats.count(t.palette.found, count)}
      </p>
    </>
  )
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 8,
  PageUp: -8,
}

/** With more local items, the server results would be below the fold. */
const MOST_KNOWN = 6

interface Asked extends Pick<PaletteViewProps, 'pages' | 'onKeys'> {
  readonly typed: string
}

/** Local items in order of their score, followed by the server results. */
function useItems({ typed, pages, onKeys }: Asked) {
  const known = usePaletteItems(pages, onKeys)
  const recent = useRecent()
  const { items: found, isSearching } = usePaletteSearch(typed, pages)
  if (typed.trim() === '') return { items: [...recent, ...known], isSearching }
  const fitting = known
    .map((item) => ({ item, how: fit(item.text, typed) }))
    .filter(({ how }) => how > 0)
    .toSorted((one, other) => other.how - one.how)
    .slice(0, MOST_KNOWN)
    .map(({ item }) => ({ ...item, group: 'actions' as const }))
  return { items: [...fitting, ...found], isSearching }
}

function useRecent(): readonly PaletteItem[] {
  const me = useMe()
  const { route } = useLocation()
  const [recent] = useState(() => readRecent(me?.user.user_id ?? 0))
  return recent.map((each) => ({
    ...each,
    id: `recent ${each.href}`,
    group: 'recent',
    run: () => route(pathOf(each.href)),
  }))
}

/** The item that Enter opens. It stays active when other items arrive. */
function useActive(items: readonly PaletteItem[], typed: string) {
  const [chosen, setChosen] = useState<string>()
  useEffect(() => setChosen(undefined), [typed])
  const at = Math.max(
    items.findIndex(({ id }) => id === chosen),
    0,
  )
  const step = (by: number): void => {
    const isPage = Math.abs(by) > 1
    const to = isPage
      ? Math.min(Math.max(at + by, 0), items.length - 1)
      : (at + by + items.length) % items.length
    setChosen(items[to]?.id)
  }
  return { active: items[at]?.id, moveTo: setChosen, step }
}

interface ListProps {
  readonly id: string
  readonly items: readonly PaletteItem[]
  readonly active: string | undefined
  readonly onMove: (id: string) => void
  readonly onTake: (item: PaletteItem) => void
}

function List({ id, items, active, onMove, onTake }: ListProps) {
  const { t } = useTexts()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    ref.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  const groups = [...new Set(items.map(({ group }) => group))]
  return (
    <div ref={ref} id={id} class="palette-list" role="listbox" aria-label={t.frame.palette}>
      {groups.map((group) => (
        <div key={group} role="group" aria-label={t.palette.groups[group]}>
          <p class="palette-group" aria-hidden="true">
            {t.palette.groups[group]}
          </p>
          {itemsOf(items, group).map((item) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field takes the keys
            <div
              key={item.id}
              id={`${id}-${items.indexOf(item)}`}
              class="palette-item"
              role="option"
              aria-selected={item.id === active}
              tabIndex={-1}
              // Keeps the focus in the field.
              onMouseDown={(event) => event.preventDefault()}
              onMouseMove={() => onMove(item.id)}
              onClick={() => onTake(item)}
            >
              <Icon name={item.icon} />
              <bdi class="palette-text">{item.text}</bdi>
              {item.hint !== undefined && <bdi class="palette-hint">{item.hint}</bdi>}
              {item.keys !== undefined && <Keys keys={item.keys} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

function itemsOf(items: readonly PaletteItem[], group: PaletteGroup): readonly PaletteItem[] {
  return items.filter((item) => item.group === group)
}

interface Recent {
  /** Path of a page below /admin. */
  readonly href: string
  readonly text: string
  readonly icon: IconName
  readonly hint?: string | undefined
}

const MOST = 5

/** Items that were recently opened from the palette, stored in this browser. */
function readRecent(userId: number): readonly Recent[] {
  const found = parseJson(readStored(nameOf(userId)))
  return Array.isArray(found) ? found.filter(isRecent).slice(0, MOST) : []
}

function addRecent(userId: number, chosen: Recent): void {
  const others = readRecent(userId).filter(({ href }) => href !== chosen.href)
  writeStored(nameOf(userId), JSON.stringify([chosen, ...others].slice(0, MOST)))
}

function nameOf(userId: number): string {
  return `cms.recent.${userId}`
}

function isRecent(value: unknown): value is Recent {
  if (!isObject(value)) return false
  const { href, text, icon, hint } = value
  const isHint = hint === undefined || typeof hint === 'string'
  const isPlace = typeof href === 'string' && href.startsWith('/') && typeof text === 'string'
  return isPlace && isHint && ICON_NAMES.some((name) => name === icon)
}
