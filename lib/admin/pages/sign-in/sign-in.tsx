// Shown at whatever address, as long as nobody has signed in: what was asked for comes after it. A sign-in at a
// provider that went wrong comes back here with a code that says why.

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

/** Of what an address says nothing is shown but a text of our own. */
function problemIn(code: string | undefined, { problems }: Speech['t']): string | undefined {
  const known = PROBLEMS.find((each) => each === code)
  return known === undefined ? undefined : problems[known]
}
