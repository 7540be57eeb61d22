// The System API document.

import { useTexts } from '../../texts/use-texts.ts'
import { DocumentFrame } from './document-frame.tsx'

export function SystemPage() {
  const { t } = useTexts()
  return <DocumentFrame title={t.frame.systemApi} path="/public/api/system" />
}
