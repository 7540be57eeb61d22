// German texts that several pages share.

import type { Translation } from '../translation.ts'

export const picker: Translation['picker'] = {
  clear: 'Leeren',
  nothing: 'Nichts gefunden.',
  everywhere: 'Gesamte Website',
}

export const clash: Translation['clash'] = {
  title: 'Jemand anderes hat das inzwischen geändert',
  text: 'Ihre Eingaben sind noch da. Wenn Sie erneut speichern, überschreiben Sie die andere Änderung.',
}
