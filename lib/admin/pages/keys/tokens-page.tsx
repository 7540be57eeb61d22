// One's own keys, for everybody who has signed in.

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
