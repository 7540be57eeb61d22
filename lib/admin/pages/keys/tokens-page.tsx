// The signed-in user's own keys.

import { useTexts } from '../../texts/use-texts.ts'
import { KeyList } from './key-list.tsx'

export function TokensPage() {
  const { t } = useTexts()
  return (
    <KeyList
      title={t.titles.tokens}
      intro={t.keys.tokensIntro}
      base="/profile/tokens"
      isOfAll={false}
    />
  )
}
