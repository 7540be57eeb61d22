// The sign-in dialog over the page after the session has expired. Pending requests resume after the sign-in.

import { useCell } from '../client/cell.ts'
import { useClient } from '../client/client-context.ts'
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx'
import { useTexts } from '../texts/use-texts.ts'
import { Dialog } from '../ui/dialog.tsx'

export function SessionDialog() {
  const { t } = useTexts()
  const state = useCell(useClient().session.state)
  if (state.kind !== 'over') return null
  return (
    <Dialog title={t.signIn.over} isOpaque>
      <p>{t.signIn.overText}</p>
      <SignInForm userName={state.me.user.name} />
    </Dialog>
  )
}
