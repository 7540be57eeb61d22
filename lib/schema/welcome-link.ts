// A link of the first start, where several processes show one each: every one is good on all of them, until one is used.

import type { RecordType } from './values.ts'

/** Key: [hash of what the link holds]. */
interface WelcomeLink {
  readonly date_ends: string
}

export const welcomeLink: RecordType<WelcomeLink> = { name: 'welcome_link', indexes: [] }
