// Describes a page to the frame: path, title, visibility and loader. Router, side bar and palette derive from the
// list in pages.ts.

import type { ComponentType } from 'preact'
import type { Me } from '../client/me.ts'
import type { IconName } from '../ui/icon.tsx'
import type { PartName } from '../texts/languages.ts'
import type { Texts } from '../texts/translation.ts'

export const GROUPS = ['start', 'content', 'data', 'site', 'documents'] as const

export type Group = (typeof GROUPS)[number]

export interface PageDefinition {
  /** Below /admin. Segments that begin with a colon are parameters: `/keys/:id`. */
  readonly path: string
  readonly title: (t: Texts) => string
  /** Undefined for pages that are not in the side bar. */
  readonly shown?: {
    readonly group: Group
    readonly icon: IconName
    /** A further path whose pages highlight this entry. */
    readonly also?: string
  }
  /** Whether the page is useful for the user; undefined means always. */
  readonly isFor?: (me: Me) => boolean
  /** Whether the page is shown without a sign-in, and without the frame. */
  readonly isOpen?: boolean
  /** Text parts that load with the page, in addition to the first texts. */
  readonly texts?: readonly PartName[]
  readonly load: () => Promise<ComponentType>
}
