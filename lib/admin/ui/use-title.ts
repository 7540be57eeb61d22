// Sets the title of the document.

import { useEffect } from 'preact/hooks'
import { useTexts } from '../texts/use-texts.ts'

export function useTitle(title: string): void {
  const { t } = useTexts()
  useEffect(() => {
    document.title = `${title} – ${t.general.product}`
  }, [title, t])
}
