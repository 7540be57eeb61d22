// The menu of the signed-in user: profile, language, appearance and sign-out.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../client/address.ts'
import { useMe } from '../client/client-context.ts'
import { fill } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { usePreferenceItems } from './preference-items.ts'
import { useSignOut } from '../ui/use-sign-out.ts'

export function ProfileMenu() {
  const { t } = useTexts()
  const { route } = useLocation()
  const signOut = useSignOut()
  const items = usePreferenceItems()
  const name = useMe()?.user.name ?? ''

  const own: readonly MenuItem[] = [
    {
      text: t.titles.profile,
      icon: 'user',
      onChoose: () => route(pathOf('/profile')),
      group: name,
    },
    { text: t.titles.tokens, icon: 'key', onChoose: () => route(pathOf('/profile/tokens')) },
    { text: t.frame.signOut, icon: 'signOut', onChoose: () => void signOut() },
  ]
  return (
    <Menu
      button={{
        class: 'profile',
        label: fill(t.frame.profile, { name }),
        content: (
          <>
            <span class="profile-sign" data-letter={name.slice(0, 1).toUpperCase()} />
            <span class="profile-name">{name}</span>
            <Icon name="chevronDown" />
          </>
        ),
      }}
      items={[...items, ...own]}
    />
  )
}
