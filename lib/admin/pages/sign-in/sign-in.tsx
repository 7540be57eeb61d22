// Shown at every URL without a session; the requested page follows. A failed sign-in at a provider returns here with
// an error code.

import { useLocation } from 'preact-iso/router'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { NarrowPage } from '../../ui/narrow-page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { SignInForm } from './sign-in-form.tsx'

export function SignInPage() {
  const { t } = useTexts()
  const problem = problemIn(useLocation().query['problem'], t)
  return (
    <NarrowPage title={t.signIn.title}>
      {problem !== undefined && <Notice kind="danger" title={problem} />}
      <SignInForm />
    </NarrowPage>
  )
}

const PROBLEMS = ['oidc-unavailable', 'oidc-refused', 'oidc-no-user'] as const

/** Only known codes are shown, never text from the URL. */
function problemIn(code: string | undefined, { problems }: Speech['t']): string | undefined {
  const known = PROBLEMS.find((each) => each === code)
  return known === undefined ? undefined : problems[known]
}
