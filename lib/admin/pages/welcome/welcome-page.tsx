// The first start of a server: its line on the terminal is the address of this page with a code behind #, good once
// and for an hour. Here the first user gets a password, and makes the first key. The code is behind # so that it comes
// into no log; it is taken out of the address as soon as it was used.

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
    // The link was opened in this tab, and the page is there already.
    addEventListener('hashchange', begin)
    return () => removeEventListener('hashchange', begin)
  }, [])

  function goOn(): void {
    history.replaceState(null, '', location.pathname)
    setStep('key')
  }

  if (step === 'key') return <FirstKey />
  // Reloaded between both steps.
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
