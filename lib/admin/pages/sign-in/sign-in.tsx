// Shown at whatever address, as long as nobody has signed in: what was asked for comes after it.

import { useTexts } from '../../texts/use-texts.ts'
import { NarrowPage } from '../../ui/narrow-page.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function SignInPage() {
  const { t } = useTexts()
  return (
    <NarrowPage title={t.signIn.title}>
      <SignInForm />
    </NarrowPage>
  )
}
