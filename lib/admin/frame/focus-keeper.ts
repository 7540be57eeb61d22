// Moves the focus when the focused element is removed, because the browser would reset it to the top of the page. The
// focus goes to the element that is now in the same place, or else to the page heading. After a dialog or toast, it
// returns to the element that had it before.

import { useEffect } from 'preact/hooks'

interface Step {
  readonly parent: Element
  /** Index of the child that had or contained the focus. */
  readonly at: number
}

interface FocusPlace {
  readonly element: Element
  /** From the parent up to the body. */
  readonly steps: readonly Step[]
}

/** Elements that temporarily cover the page. */
const OVER = 'dialog, .toasts, .menu'

const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]'

export function useFocusKeeper(): void {
  useEffect(keepFocus, [])
}

/** Returns a function that stops the tracking. */
function keepFocus(): () => void {
  const over = new AbortController()
  let last: FocusPlace | undefined
  /** The last focused element that was not in an overlay. */
  let below: FocusPlace | undefined

  const take = ({ target }: Event): void => {
    if (!(target instanceof Element)) return
    last = focusPlaceOf(target)
    if (target.closest(OVER) === null) below = last
  }
  const look = (): void => {
    if (last === undefined || isThere(last.element) || !isNowhere()) return
    const isOver = last.steps.some(({ parent }) => parent.matches(OVER) && !parent.isConnected)
    const next = placeOf(isOver || last.element.closest(OVER) !== null ? below : last)
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: 'nearest' })
  }

  document.addEventListener('focusin', take, { signal: over.signal })
  const changes = new MutationObserver(look)
  changes.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    over.abort()
    changes.disconnect()
  }
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}

function isThere(element: Element): boolean {
  return element.isConnected && !element.matches(':disabled')
}

function focusPlaceOf(element: Element): FocusPlace {
  const steps: Step[] = []
  for (let child = element; child.parentElement !== null; child = child.parentElement) {
    const parent = child.parentElement
    steps.push({ parent, at: [...parent.children].indexOf(child) })
  }
  return { element, steps }
}

/** Undefined while the place does not exist yet. */
function placeOf(focused: FocusPlace | undefined): HTMLElement | undefined {
  const heading = document.querySelector<HTMLElement>('main h1') ?? undefined
  if (focused === undefined || focused.element.matches('h1')) return heading
  if (isThere(focused.element) && focused.element instanceof HTMLElement) return focused.element
  const { steps } = focused
  const from = steps.findIndex(({ parent }) => parent.isConnected)
  for (const [up, { parent, at }] of steps.slice(from).entries()) {
    // The whole page was replaced.
    if (parent.matches('main, body') || parent.querySelector('main') !== null) return heading
    const inside = steps.slice(0, from + up).map((step) => step.at)
    const found = sameIn(parent, [...inside, at]) ?? firstIn(parent)
    if (found !== undefined) return found
  }
  return heading
}

/** Returns the element at the same position, or the last one if there are fewer. */
function sameIn(parent: Element, places: readonly number[]): HTMLElement | undefined {
  let element: Element = parent
  for (const at of places.toReversed()) {
    const child = element.children[Math.min(at, element.children.length - 1)]
    if (child === undefined) break
    element = child
  }
  for (; element !== parent && element.parentElement !== null; element = element.parentElement) {
    const found = isFocusable(element) ? element : firstIn(element)
    if (found instanceof HTMLElement) return found
  }
  return undefined
}

function firstIn(element: Element): HTMLElement | undefined {
  return [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].find(isFocusable)
}

function isFocusable(element: Element): boolean {
  return element.matches(FOCUSABLE) && element.checkVisibility({ visibilityProperty: true })
}
