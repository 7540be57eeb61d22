// The first start of a server. The server prints a link to this page with a code that is valid once and for one hour.
// Here the first user sets a password and creates the first key. The code is in the fragment so that no log contains
// it, and it is removed from the URL after use.

import { useEffect, useState } from 'preact/hooks'
import { pathOf } from '../../client/address.ts'
import { useCell } from '../../client/cell.ts'
import { useClient, useMe } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { NarrowPage } from '../../ui/narrow-page.tsx'
import { FirstKey } from './first-key.tsx'
import { FirstPassword } from './first-password.tsx'

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
