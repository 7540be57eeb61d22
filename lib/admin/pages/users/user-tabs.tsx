// Users and their roles, which are separate pages.

import { pathOf } from '../../client/address.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { TabLinks } from '../../ui/tabs.tsx'

export function UserTabs({ of }: { readonly of: 'users' | 'roles' }) {
  const { t } = useTexts()
  return (
    <TabLinks
      label={t.titles.users}
      links={[
        { href: pathOf('/users'), text: t.titles.users, isCurrent: of === 'users' },
        { href: pathOf('/users/roles'), text: t.users.rolesTitle, isCurrent: of === 'roles' },
      ]}
    />
  )
}
