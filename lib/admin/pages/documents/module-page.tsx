// The Module API document of this site. /documents/module?module=datatable/5 opens it at that module.

import { useLocation } from 'preact-iso/router'
import { useTexts } from '../../texts/use-texts.ts'
import { DocumentFrame } from './document-frame.tsx'

export function ModulePage() {
  const { t } = useTexts()
  const { module } = useLocation().query
  const isOne = module !== undefined && /^(?:datatable|calendar)\/[1-9]\d{0,14}$/.test(module)
  const path = isOne ? `/public/api/module?module=${module}` : '/public/api/module'
  return <DocumentFrame title={t.frame.moduleApi} path={path} />
}
