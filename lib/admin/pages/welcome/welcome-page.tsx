// The first start of a server. The server prints a link to this page with a code that is valid once and for one hour.
// Here the first user sets a password and creates the first key. The code is in the fragment so that no log contains
// it, and it is removed from the URL after use.

import { useEffect, useState } from 'preact/hooks'
import { API, pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useCell } from '../../client/cell.ts'
import { useApi, useClient, useMe } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeLine, Secret } from '../../ui/code-line.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { NarrowPage } from '../../ui/page.tsx'
import { NewPassword, PasswordInput, requireLong } from '../../ui/password-input.tsx'
import { TextInput } from '../../ui/text-input.tsx'

type Step = 'password' | 'key' | 'over'

export function WelcomePage() {
  const { t } = useTexts()
  const { session } = useClient()
  const { kind } = useCell(session.state)
  const hasSession = useMe() !== undefined
  const [token, setToken] = useState(codeInAddress)
  const [step, setStep] = useState<Step>('password')
  useEffect(() => {
    const begin = (): void => {
      setToken(codeInAddress())
      setStep('password')
    }
    // The link was opened in a tab that already shows this page.
    addEventListener('hashchange', begin)
    return () => removeEventListener('hashchange', begin)
  }, [])

  function goOn(): void {
    history.replaceState(null, '', location.pathname)
    setStep('key')
  }

  if (step === 'key') return <FirstKey />
  // The page was reloaded between the steps.
  if (token === '' && hasSession) return <FirstKey />
  if (token === '' && kind === 'starting') return null
  if (step === 'over' || token === '') {
    const title = step === 'over' ? t.welcome.overTitle : t.titles.welcome
    return (
      <NarrowPage title={title}>
        <p>{step === 'over' ? t.welcome.overText : t.welcome.missingText}</p>
        <ButtonLink kind="primary" href={pathOf('/sign-in')}>
          {t.welcome.toSignIn}
        </ButtonLink>
      </NarrowPage>
    )
  }
  return <FirstPassword token={token} onDone={goOn} onOver={() => setStep('over')} />
}

function codeInAddress(): string {
  return location.hash.slice(1)
}

/** Name of the key. */
const FIRST_KEY = 'first'

/** Step 2: creates the first key, and shows its secret once with a test command. */
function FirstKey() {
  const { t } = useTexts()
  const api = useApi()
  const [secret, setSecret] = useState<string>()

  async function makeKey({ name }: { readonly name: string }, { once }: Filled) {
    const body = { name }
    const made = await dataOf(api.POST('/api_key', { params: { header: once(body) }, body }))
    setSecret(made.secret)
  }

  if (secret !== undefined) return <KeyMade secret={secret} />
  return (
    <NarrowPage title={t.welcome.keyTitle} above={fill(t.welcome.steps, { step: 2 })}>
      <p>{t.welcome.keyText}</p>
      <Form
        name="welcome-key"
        initial={{ name: FIRST_KEY }}
        submit={t.welcome.makeKey}
        onSubmit={makeKey}
        actions={<ButtonLink href={pathOf('/')}>{t.welcome.skip}</ButtonLink>}
        isWide
      >
        <TextInput
          name="name"
          label={t.welcome.keyName}
          hint={t.welcome.keyNameHint}
          isRequired
          isFocused
        />
      </Form>
    </NarrowPage>
  )
}

function KeyMade({ secret }: { readonly secret: string }) {
  const { t } = useTexts()
  return (
    <NarrowPage title={t.welcome.madeTitle}>
      <Secret secret={secret} />
      <div class="welcome-try">
        <h2>{t.welcome.tryOut}</h2>
        <CodeLine
          label={t.welcome.tryOut}
          text={`curl -H 'Authorization: Bearer ${secret}' ${API}/me`}
        />
      </div>
      <ButtonLink kind="primary" href={pathOf('/')}>
        {t.welcome.onward}
      </ButtonLink>
    </NarrowPage>
  )
}

/** The first user of a new server. */
const FIRST_USER = 'admin'

interface FirstPasswordProps {
  readonly token: string
  readonly onDone: () => void
  /** The code has expired. */
  readonly onOver: () => void
}

/**
 * Step 1: sets the password of the first user. It is typed twice, because nobody could reset it.
 */
function FirstPassword({ token, onDone, onOver }: FirstPasswordProps) {
  const { t } = useTexts()
  const { session } = useClient()

  async function setPassword({ password, again }: Record<'password' | 'again', string>) {
    requireLong('password', password, t)
    if (password !== again) throw new InvalidFields({ again: t.password.notSame })
    try {
      await session.signInFirst({ token, password })
      onDone()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'welcome-over') throw error
      onOver()
    }
  }

  return (
    <NarrowPage title={t.welcome.passwordTitle} above={fill(t.welcome.steps, { step: 1 })}>
      <p>{t.welcome.passwordText}</p>
      <Form
        name="welcome-password"
        initial={{ password: '', again: '' }}
        submit={t.welcome.setPassword}
        onSubmit={setPassword}
        isWide
      >
        {/* Tells password managers which account this is. */}
        <TextInput
          name="user"
          label={t.welcome.user}
          value={FIRST_USER}
          autoComplete="username"
          isReadOnly
        />
        <NewPassword name="password" label={t.welcome.password} isFocused />
        <PasswordInput name="again" label={t.password.again} autoComplete="new-password" />
      </Form>
    </NarrowPage>
  )
}
