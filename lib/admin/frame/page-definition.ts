// What the frame knows of a page: where it is, what it is called, who sees it, and how it is loaded. pages.ts is the
// list of all; router, side bar and palette follow from it.

import type { ComponentType } from 'preact'
import type { Me } from '../client/me.ts'
import type { IconName } from '../ui/icon.tsx'
import type { PartName } from '../texts/languages.ts'
import type { Texts } from '../texts/translation.ts'

export const GROUPS = ['start', 'content', 'data', 'site', 'documents'] as const

export type Group = (typeof GROUPS)[number]

export interface PageDefinition {
  /** Below /admin; parts that begin with a colon are parameters: `/keys/:id`. */
  readonly path: string
  readonly title: (t: Texts) => string
  /** Undefined: it is not in the side bar. */
  readonly shown?: {
    readonly group: Group
    readonly icon: IconName
    /** Another path whose pages belong to this entry. */
    readonly also?: string
  }
  /** Whether the page has anything for who has signed in; undefined: it is there for all. */
  readonly isFor?: (me: Me) => boolean
  /** Who has not signed in sees it, too, and nothing around it. */
  readonly isOpen?: boolean
  /** What it says beyond the first texts, its parts and those of others that it shows: loaded with it. */
  readonly texts?: readonly PartName[]
  readonly load: () => Promise<ComponentType>
}
