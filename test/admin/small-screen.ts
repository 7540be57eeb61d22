// Faults of a page on a phone: horizontal scrolling, clipped content, or touch targets that are too close to
// each other (WCAG 2.5.8).

import type { Page } from 'playwright-core'

/** As wide as the narrowest phones still in use. */
export const TELEPHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

export function smallScreenFaults(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const LEAST = 24
    const faults = []
    const told = (element) => element.outerHTML.slice(0, 140)
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) faults.push('it scrolls sideways')
    const top = document.querySelector('.menu:popover-open') ?? [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
    const isShown = (element) => {
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false
      const { width, height } = element.getBoundingClientRect()
      // Text only for screen readers has a size of one pixel.
      return width > 1 && height > 1 && getComputedStyle(element).clipPath === 'none'
    }
    const targets = [...top.querySelectorAll('a[href], button, input, select, textarea, summary, [role=option]')].filter(isShown)
    const boxOf = (element) => {
      const boxes = [element, ...(element.labels ?? [])].map((each) => each.getBoundingClientRect())
      const isOne = element.matches('[type=checkbox], [type=radio]')
      const used = isOne ? boxes : boxes.slice(0, 1)
      const [left, upper] = [Math.min(...used.map((box) => box.left)), Math.min(...used.map((box) => box.top))]
      const [right, lower] = [Math.max(...used.map((box) => box.right)), Math.max(...used.map((box) => box.bottom))]
      return { left, top: upper, right, bottom: lower, width: right - left, height: lower - upper }
    }
    const isInText = (element) =>
      getComputedStyle(element).display === 'inline' && element.parentElement.textContent.trim() !== element.textContent.trim()
    const scrolls = (element) => {
      for (let up = element.parentElement; up !== null; up = up.parentElement)
        if (/auto|scroll/.test(getComputedStyle(up).overflowX)) return true
      return false
    }
    const boxes = targets.map((element) => ({ element, box: boxOf(element) }))
    for (const { element, box } of boxes) {
      const isCut = box.right > innerWidth + 1 || box.left < -1
      if (isCut && !scrolls(element)) faults.push('cut off: ' + told(element))
      if (box.width >= LEAST && box.height >= LEAST) continue
      if (isInText(element)) continue
      const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
      const near = boxes.find(({ element: other, box: its }) => {
        if (other === element || other.contains(element) || element.contains(other)) return false
        const dx = Math.max(its.left - x, 0, x - its.right)
        const dy = Math.max(its.top - y, 0, y - its.bottom)
        return Math.hypot(dx, dy) < LEAST / 2
      })
      if (near !== undefined)
        faults.push(Math.round(box.width) + '×' + Math.round(box.height) + ' ' + told(element) + ' near ' + told(near.element))
    }
    return faults
  })()`)
}
