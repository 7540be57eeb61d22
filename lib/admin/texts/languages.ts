// The available languages. A new language is a folder beside en/ and its lines here; missing texts do not compile. The first texts load with the program, all other parts with the pages.

import { EN_PARTS } from './en.ts'
import type { First, TranslatedPart } from './translation.ts'

/** A part of the texts: one file per language. */
export type PartName = keyof typeof EN_PARTS

export interface Language {
  /** The name in the language itself. */
  readonly name: string
  readonly first: () => Promise<{ readonly first: First }>
  readonly parts: { readonly [P in PartName]: () => Promise<TranslatedPart<P>> }
}

export const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    name: 'English',
    first: () => import('./en/first.ts'),
    parts: EN_PARTS,
  },
  de: {
    name: 'Deutsch',
    first: () => import('./de/first.ts'),
    parts: {
      access: () => import('./de/access.ts'),
      audit: () => import('./de/audit.ts'),
      backup: () => import('./de/backup.ts'),
      calendar: () => import('./de/calendar.ts'),
      comments: () => import('./de/comments.ts'),
      content: () => import('./de/content.ts'),
      dashboard: () => import('./de/dashboard.ts'),
      data: () => import('./de/data.ts'),
      editor: () => import('./de/editor.ts'),
      entries: () => import('./de/entries.ts'),
      faults: () => import('./de/faults.ts'),
      file: () => import('./de/file.ts'),
      keys: () => import('./de/keys.ts'),
      menus: () => import('./de/menus.ts'),
      palette: () => import('./de/palette.ts'),
      picking: () => import('./de/picking.ts'),
      profile: () => import('./de/profile.ts'),
      publicAccess: () => import('./de/public-access.ts'),
      secondFactor: () => import('./de/second-factor.ts'),
      schedule: () => import('./de/schedule.ts'),
      start: () => import('./de/start.ts'),
      trash: () => import('./de/trash.ts'),
      upload: () => import('./de/upload.ts'),
      users: () => import('./de/users.ts'),
      views: () => import('./de/views.ts'),
      webhooks: () => import('./de/webhooks.ts'),
      welcome: () => import('./de/welcome.ts'),
    },
  },
}

/** Returns the first available language among the reader's choice and the system preferences. */
export function chooseLanguage(wanted: readonly (string | undefined)[]): string {
  const codes = wanted.map((tag) => tag?.split('-', 1)[0]?.toLowerCase() ?? '')
  return codes.find((code) => Object.hasOwn(LANGUAGES, code)) ?? 'en'
}
