// First-start links. Several processes may each show a link; every link works on all of them until one is used.

import type { RecordType } from './values.ts'

/** Key: [hash of the secret of the link]. */
interface WelcomeLink {
  readonly date_ends: string
}

export const welcomeLink: RecordType<WelcomeLink> = { name: 'welcome_link', indexes: [] }
