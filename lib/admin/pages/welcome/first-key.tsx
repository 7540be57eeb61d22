// Step 2: creates the first key, and shows its secret once with a test command.

import { useState } from 'preact/hooks'
import { API, pathOf } from '../../client/address.ts'
import { dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import { fill } from '../../texts/fill.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { CodeLine, Secret } from '../../ui/code-line.tsx'
import type { Filled } from '../../ui/filled.ts'
import { Form } from '../../ui/form.tsx'
import { NarrowPage } from '../../ui/narrow-page.tsx'
import { TextInput } from '../../ui/text-input.tsx'

/** Name of the key. */
const FIRST_KEY = 'first'

export function FirstKey() {
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
