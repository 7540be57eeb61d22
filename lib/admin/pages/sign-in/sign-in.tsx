// Name and password, and a code if the server asks for one. Also used in the dialog of an expired session.

import { useLocation } from 'preact-iso/router'
import { useState } from 'preact/hooks'
import { API } from '../../client/address.ts'
import { useClient } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Form } from '../../ui/form.tsx'
import { NarrowPage } from '../../ui/page.tsx'
import { Notice } from '../../ui/notice.tsx'
import { CodeInput, PasswordInput } from '../../ui/password-input.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useRequest } from '../../ui/use-request.ts'

interface SignInFormProps {
  /** The previous user's name. */
  readonly userName?: string
}

export function SignInForm({ userName = '' }: SignInFormProps) {
  const { t } = useTexts()
  const { session } = useClient()
  const [wantsCode, setWantsCode] = useState(false)

  async function signIn({ name, password, code }: Record<'name' | 'password' | 'code', string>) {
    try {
      await session.signIn({ name: name.trim(), password, ...(wantsCode && { code: code.trim() }) })
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'code-required' || wantsCode) throw error
      setWantsCode(true)
    }
  }

  return (
    <>
      <Form
        name="sign-in"
        initial={{ name: userName, password: '', code: '' }}
        submit={t.signIn.submit}
        onSubmit={signIn}
        isWide
        isForgotten
      >
        <TextInput
          name="name"
          label={t.signIn.name}
          autoComplete="username"
          isRequired
          isFocused={userName === ''}
        />
        <PasswordInput
          name="password"
          label={t.signIn.password}
          autoComplete="current-password"
          isFocused={userName !== ''}
        />
        {wantsCode && <CodeInput isFocused />}
      </Form>
      {userName === '' && <p class="quiet">{t.signIn.noPassword}</p>}
      <OtherWay isElsewhere={userName !== ''} />
    </>
  )
}

/**
 * Sign-in with an identity provider, if the server has one. Over an expired session, it opens another tab, which
 * notifies this one after the sign-in.
 */
function OtherWay({ isElsewhere }: { readonly isElsewhere: boolean }) {
  const { t } = useTexts()
  const { session } = useClient()
  const { data } = useRequest(() => session.waysIn(), [])
  if (data?.oidc !== true) return null
  return (
    <div class="other-way">
      <p class="other-way-or">{t.signIn.or}</p>
      <a
        class="button button-plain"
        href={`${API}/session/oidc`}
        {...(isElsewhere && { target: '_blank', rel: 'noopener' })}
      >
        <span>{t.signIn.oidc}</span>
      </a>
      {isElsewhere && <p class="quiet">{t.signIn.oidcElsewhere}</p>}
    </div>
  )
}

/**
 * Shown at every URL without a session; the requested page follows. A failed sign-in at a provider returns here with
 * an error code.
 */
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
