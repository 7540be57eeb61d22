// Shown in place of a page that failed to load or threw an error.

import { useTexts } from '../texts/use-texts.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'

export function LoadFailed() {
  const { t } = useTexts()
  return <Page title={t.failed.title} intro={t.failed.text} actions={<Reload />} />
}

export function PageBroken({ error }: { readonly error: unknown }) {
  const { t } = useTexts()
  return (
    <Page title={t.failed.broken} intro={t.failed.brokenText} actions={<Reload />}>
      <code>{String(error)}</code>
    </Page>
  )
}

function Reload() {
  const { t } = useTexts()
  return (
    <Button kind="primary" onPress={() => location.reload()}>
      {t.failed.reload}
    </Button>
  )
}
