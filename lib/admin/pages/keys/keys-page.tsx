// All keys of the site, for administrators; /keys?user=2 shows those of a user.

import { useRoute } from 'preact-iso/router'
import { useTexts } from '../../texts/use-texts.ts'
import { UnknownPage } from '../unknown/unknown.tsx'
import { KeyList } from './key-list.tsx'

export function KeysPage() {
  const { t } = useTexts()
  const ofUser = useRoute().query['user']
  if (ofUser !== undefined && !/^[1-9]\d{0,14}$/.test(ofUser)) return <UnknownPage />
  return <KeyList title={t.titles.keys} intro={t.keys.intro} base="/keys" ofUser={ofUser} isOfAll />
}
