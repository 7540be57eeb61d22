// Sign-in with an identity provider, if the server has one. Over an expired session, it opens another tab, which
// notifies this one after the sign-in.

import { API } from '../../client/address.ts'
import { useClient } from '../../client/client-context.ts'
import { useTexts } from '../../texts/use-texts.ts'
import { useRequest } from '../../ui/use-request.ts'

export function OtherWay({ isElsewhere }: { readonly isElsewhere: boolean }) {
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
