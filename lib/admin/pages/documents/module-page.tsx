// The Module API to read and try out: the datatables and calendars of this site.

import { useTexts } from '../../texts/use-texts.ts'
import { DocumentFrame } from './document-frame.tsx'

export function ModulePage() {
  const { t } = useTexts()
  return <DocumentFrame title={t.frame.moduleApi} path="/public/api/module" />
}
