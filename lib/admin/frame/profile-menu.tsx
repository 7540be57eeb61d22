// Who has signed in, and what is theirs alone: language, appearance, the way out.

import { useLocation } from 'preact-iso/router'
import { pathOf } from '../client/address.ts'
import { useClient, useMe } from '../client/client-context.ts'
import { fill } from '../texts/fill.ts'
import { useTexts } from '../texts/use-texts.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'
import { usePreferenceItems } from './preference-items.ts'

export function ProfileMenu() {
  const { t } = useTexts()
  const { session } = useClient()
  const { route } = useLocation()
  const toast = useToast()
  const items = usePreferenceItems()
  const name = useMe()?.user.name ?? ''

  async function signOut(): Promise<void> {
    try {
      await session.signOut()
      route(pathOf('/sign-in'))
    } catch (error) {
      toast.problem(error)
    }
  }

  const own: readonly MenuItem[] = [
    {
      text: t.profile.title,
      icon: 'user',
      onChoose: () => route(pathOf('/profile')),
      group: name,
    },
    { text: t.keys.tokens, icon: 'key', onChoose: () => route(pathOf('/profile/tokens')) },
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
