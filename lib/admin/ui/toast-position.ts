// Places the toasts in the lower right corner, above whatever must stay free there: buttons that save, the pager, the dock and the
// bar of a selection. If there is no room on the right, the toasts stand on the left.

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

interface Room {
  /** The inner size of the window. */
  readonly width: number
  readonly height: number
  /** Distance from the edges, and from the elements that stay free. */
  readonly gap: number
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The left upper corner of the toasts. If they fit nowhere, they stand at the top. */
function toastPosition(
  size: Size,
  free: readonly Box[],
  { width, height, gap }: Room,
): { readonly left: number; readonly top: number } {
  const right = Math.max(gap, width - gap - size.width)
  const places = [...new Set([right, gap])].map((left) => ({
    left,
    top: lifted({ left, size, gap, bottom: height - gap }, free),
  }))
  const lowest = places.reduce((best, place) => (place.top > best.top ? place : best))
  const first = places.find(({ top }) => top > height / 3) ?? lowest
  return { left: first.left, top: Math.max(gap, first.top) }
}

interface Column {
  readonly left: number
  readonly size: Size
  readonly gap: number
  readonly bottom: number
}

/** The top of the toasts after they moved up from `bottom` past all elements below them. */
function lifted({ left, size, gap, bottom: start }: Column, free: readonly Box[]): number {
  let bottom = start
  const lowestFirst = free.toSorted((one, other) => other.bottom - one.bottom)
  for (const box of lowestFirst) {
    const isBeside = box.right <= left || box.left >= left + size.width
    const isAbove = box.bottom + gap <= bottom - size.height
    const isBelow = box.top >= bottom
    if (!isBeside && !isAbove && !isBelow) bottom = Math.min(bottom, box.top - gap)
  }
  return bottom - size.height
}

const FREE =
  '.button-primary, [type="submit"], .form-actions, .pagination, .dock-item, .floating-bar, .selection-bar, .dialog-actions'

const GAP = 16

/** Moves the toasts whenever the page changes or scrolls; returns the function that ends this. */
export function keepToastsClear(toasts: HTMLElement): () => void {
  let frame = 0
  const place = (): void => {
    const free = [...document.querySelectorAll<HTMLElement>(FREE)]
      .filter((element) => !toasts.contains(element) && element.offsetWidth > 0)
      .map((element) => element.getBoundingClientRect())
    const size = { width: toasts.offsetWidth, height: toasts.offsetHeight }
    const room = { width: document.documentElement.clientWidth, height: innerHeight, gap: GAP }
    const { left, top } = toastPosition(size, free, room)
    toasts.style.left = `${left}px`
    toasts.style.top = `${top}px`
  }
  const soon = (): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(place)
  }
  place()
  const changes = new MutationObserver(soon)
  changes.observe(document.body, { childList: true, subtree: true })
  const sizes = new ResizeObserver(soon)
  sizes.observe(toasts)
  sizes.observe(document.body)
  const ended = new AbortController()
  const { signal } = ended
  addEventListener('scroll', soon, { capture: true, passive: true, signal })
  addEventListener('resize', soon, { signal })
  return () => {
    cancelAnimationFrame(frame)
    changes.disconnect()
    sizes.disconnect()
    ended.abort()
  }
}
