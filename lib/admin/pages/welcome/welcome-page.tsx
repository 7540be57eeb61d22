// A link opens this page, whose user sets a password here: the link that the server prints at its first start, or the
// link that an administrator made. After the first start, the page also creates the first key. The code of the link is
// in the fragment so that no log contains it, and it is removed from the URL after use.

import { useEffect, useState } from 'preact/hooks'
import { API, pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useCell } from '../../client/cell.ts'
import { useApi, useClient, useMe } from '../../client/client-context.ts'
import { Problem } from '../../client/problem.ts'
import type { LinkUser } from '../../client/session.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeLine, Secret } from '../../ui/code-line.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form, InvalidFields } from '../../ui/form.tsx'
import { NarrowPage } from '../../ui/page.tsx'
import { CodeInput, NewPassword, PasswordInput, requireLong } from '../../ui/password-input.tsx'
import { Loading } from '../../ui/skeleton.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import { useRequest } from '../../ui/use-request.ts'

type Step = 'password' | 'key' | 'over'

export function WelcomePage() {
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

  function goOn({ first_start: isFirst }: LinkUser): void {
    // The start page is loaded again, because another user may have been signed in here.
    if (!isFirst) return location.replace(pathOf('/'))
    history.replaceState(null, '', location.pathname)
    setStep('key')
  }

  if (step === 'key') return <FirstKey />
  // The page was reloaded between the steps.
  if (token === '' && hasSession) return <FirstKey />
  if (token === '' && kind === 'starting') return null
  if (step === 'over' || token === '') return <NoPassword isOver={step === 'over'} />
  return <Linked key={token} token={token} onDone={goOn} onOver={() => setStep('over')} />
}

function NoPassword({ isOver }: { readonly isOver: boolean }) {
  const { t } = useTexts()
  return (
    <NarrowPage title={isOver ? t.welcome.overTitle : t.titles.welcome}>
      <p>{isOver ? t.welcome.overText : t.welcome.missingText}</p>
      {isOver && <p class="quiet">{t.welcome.overFirstText}</p>}
      <ButtonLink kind="primary" href={pathOf('/sign-in')}>
        {t.welcome.toSignIn}
      </ButtonLink>
    </NarrowPage>
  )
}

interface LinkedProps {
  readonly token: string
  readonly onDone: (user: LinkUser) => void
  readonly onOver: () => void
}

/** Asks whose link it is. */
function Linked({ token, onDone, onOver }: LinkedProps) {
  const { t } = useTexts()
  const { session } = useClient()
  const { data, error, reload } = useRequest(() => session.linkUser(token), [token])

  if (isLinkOver(error)) return <NoPassword isOver />
  if (data !== undefined)
    return <Password token={token} user={data} onDone={() => onDone(data)} onOver={onOver} />
  return (
    <NarrowPage title={t.titles.welcome}>
      <Loading data={data} error={error} reload={reload} lines={4} />
    </NarrowPage>
  )
}

function isLinkOver(error: unknown): boolean {
  return error instanceof Problem && error.code === 'link-over'
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

interface PasswordProps {
  readonly token: string
  readonly user: LinkUser
  readonly onDone: () => void
  readonly onOver: () => void
}

type PasswordValues = Record<'password' | 'again' | 'code', string>

/** Sets the password, which is typed twice, because at the first start nobody could reset it. */
function Password({ token, user, onDone, onOver }: PasswordProps) {
  const { t } = useTexts()
  const { session } = useClient()
  const [wantsCode, setWantsCode] = useState(false)
  const { name, first_start: isFirst } = user

  async function setPassword({ password, again, code }: PasswordValues): Promise<void> {
    requireLong('password', password, t)
    if (password !== again) throw new InvalidFields({ again: t.password.notSame })
    try {
      await session.signInWithLink({ token, password, ...(wantsCode && { code: code.trim() }) })
    } catch (error) {
      if (isLinkOver(error)) return onOver()
      if (!(error instanceof Problem) || error.code !== 'code-required' || wantsCode) throw error
      return setWantsCode(true)
    }
    onDone()
  }

  return (
    <NarrowPage
      title={t.welcome.passwordTitle}
      {...(isFirst && { above: fill(t.welcome.steps, { step: 1 }) })}
    >
      <p>{isFirst ? t.welcome.passwordText : fill(t.welcome.invitedText, { name })}</p>
      <Form
        name="welcome-password"
        initial={{ password: '', again: '', code: '' }}
        submit={t.welcome.setPassword}
        onSubmit={setPassword}
        isWide
      >
        {/* Tells password managers which account this is. */}
        <TextInput
          name="user"
          label={t.welcome.user}
          value={name}
          autoComplete="username"
          isReadOnly
        />
        <NewPassword name="password" label={t.welcome.password} isFocused />
        <PasswordInput name="again" label={t.password.again} autoComplete="new-password" />
        {wantsCode && <CodeInput isFocused />}
      </Form>
    </NarrowPage>
  )
}
