// Was Teile mehrerer Seiten sagen.

import type { Translation } from '../translation.ts'

export const picker: Translation['picker'] = {
  clear: 'Nichts auswählen',
  nothing: 'Nichts heißt so.',
  everywhere: 'Überall',
}

export const clash: Translation['clash'] = {
  title: 'Jemand anderes hat es inzwischen geändert',
  text: 'Was hier geschrieben wurde, ist noch da. Noch einmal speichern setzt es an die Stelle des anderen.',
}
