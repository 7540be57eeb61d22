// Items that were recently opened from the palette, stored in this browser.

import { ICON_NAMES, type IconName } from '../ui/icon.tsx'

export interface Recent {
  /** Path of a page below /admin. */
  readonly href: string
  readonly text: string
  readonly icon: IconName
  readonly hint?: string | undefined
}

const MOST = 5

export function readRecent(userId: number): readonly Recent[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(nameOf(userId)) ?? '[]')
    return Array.isArray(found) ? found.filter(isRecent).slice(0, MOST) : []
  } catch {
    return []
  }
}

export function addRecent(userId: number, chosen: Recent): void {
  const others = readRecent(userId).filter(({ href }) => href !== chosen.href)
  try {
    localStorage.setItem(nameOf(userId), JSON.stringify([chosen, ...others].slice(0, MOST)))
  } catch {
    // Storage is blocked.
  }
}

function nameOf(userId: number): string {
  return `cms.recent.${userId}`
}

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false
  const { href, text, icon, hint } = value as Partial<Record<string, unknown>>
  const isHint = hint === undefined || typeof hint === 'string'
  const isPlace = typeof href === 'string' && href.startsWith('/') && typeof text === 'string'
  return isPlace && isHint && ICON_NAMES.some((name) => name === icon)
}
