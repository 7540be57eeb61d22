// The link with which a user sets a password: for a new user, and after a forgotten password.

import { pathOf } from '../../client/address.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { Button } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import type { User } from './user.ts'

export interface MadeLink {
  readonly name: string
  /** The complete address. */
  readonly address: string
  readonly dateExpires: string
  /** Whether the user has a password, which works until the link is used. */
  readonly hasPassword: boolean
}

/** Makes a link, which replaces the earlier link of the user. */
export async function makeLink(
  api: Api,
  { user_id: id, name, has_password: has }: Pick<User, 'user_id' | 'name'> & Partial<User>,
): Promise<MadeLink> {
  const { token, date_expires: dateExpires } = await dataOf(
    api.POST('/user/{id}/link', { params: { path: { id } } }),
  )
  const address = `${location.origin}${pathOf('/welcome')}#${token}`
  return { name, address, dateExpires, hasPassword: has === true }
}

interface UserLinkProps {
  readonly link: MadeLink
  readonly onDone: () => void
}

/** Only the button closes the dialog, so that a stray key press does not hide the link. */
export function UserLink({ link, onDone }: UserLinkProps) {
  const { t, formats } = useTexts()
  const date = formats.dateTime(new Date(link.dateExpires))
  return (
    <Dialog title={fill(t.users.linkTitle, { name: link.name })}>
      <p>{fill(t.users.linkText, { date })}</p>
      <CodeLine text={link.address} label={t.users.linkLabel} />
      <p class="quiet">
        {t.users.linkOnce} {link.hasPassword && t.users.linkKeeps}
      </p>
      <div class="dialog-actions">
        <Button kind="primary" onPress={onDone}>
          {t.users.linkDone}
        </Button>
      </div>
    </Dialog>
  )
}
