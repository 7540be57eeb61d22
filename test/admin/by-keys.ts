// A user who only has a keyboard: moves by Tab, and checks after each step that the focused element is
// visible.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

export interface Keys {
  readonly press: (...keys: readonly string[]) => Promise<void>
  readonly type: (text: string) => Promise<void>
  /** Presses Tab or Shift+Tab until the element has the focus. */
  readonly tabTo: (locator: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>
  /** Waits until the element has the focus, then checks that the element is visible. */
  readonly isAt: (locator: Locator) => Promise<void>
}

/** Fails after this many presses. */
const MOST_TABS = 60

const POLL_MS = 20
const MOST_POLLS = 750

export function openKeys(page: Page): Keys {
  const { keyboard } = page
  const hasFocus = (locator: Locator): Promise<boolean> =>
    locator.evaluateAll((all) => all.some((each) => each === each.ownerDocument.activeElement))

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await keyboard.press(key)
  }

  async function isAt(locator: Locator): Promise<void> {
    for (let left = MOST_POLLS; !(await hasFocus(locator)); left -= 1) {
      assert.ok(left > 0, `The focus is not at ${String(locator)}, but at ${await focused(page)}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
    assert.equal(await hiddenBy(page), undefined, `${String(locator)} is out of sight`)
  }

  return {
    press,
    isAt,
    type: (text) => keyboard.type(text),
    async tabTo(locator, key = 'Tab') {
      await locator.first().waitFor()
      const passed: string[] = [await focused(page)]
      while (!(await hasFocus(locator))) {
        await press(key)
        passed.push(await focused(page))
        const isLost = passed.length > MOST_TABS
        assert.ok(!isLost, `Tab does not lead to ${String(locator)}: ${passed.join(' → ')}`)
        assert.equal(await hiddenBy(page), undefined, `out of sight: ${passed.at(-1)}`)
      }
    },
  }
}

/** Describes the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const { activeElement: at } = document
    const name = at.getAttribute('aria-label') ?? at.labels?.[0]?.textContent ?? at.textContent
    return at.tagName.toLowerCase() + ' ' + (at === document.body ? '' : name.trim().slice(0, 40))
  })()`)
}

/**
 * The element that covers the focused element; undefined if the focused element is visible or
 * nothing has the focus, for example after the last element of a page.
 */
function hiddenBy(page: Page): Promise<string | undefined> {
  return page.evaluate<string | undefined>(`(() => {
    const { activeElement: at } = document
    if (at === document.body) return undefined
    const { left, top, right, bottom } = at.getBoundingClientRect()
    if (right <= 0 || bottom <= 0 || left >= innerWidth || top >= innerHeight) return 'the window'
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2
    const shown = document.elementFromPoint(x, y)
    const isSeen = shown === null || at.contains(shown) || shown.contains(at)
    return isSeen ? undefined : shown.outerHTML.slice(0, 120)
  })()`)
}
