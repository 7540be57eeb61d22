// The answer to "why was this denied": the missing grant, every reason, and links to where each can be changed.

import { pathOf } from '../../client/address.ts'
import type { paths } from '../../client/interface.d.ts'
import { useMe } from '../../client/client-context.ts'
import { mayEverywhere } from '../../client/me.ts'
import { fill } from '../../texts/fill.ts'
import { type Speech, useTexts } from '../../texts/use-texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Link } from '../../ui/link.tsx'

/** The key or user in question. */
export interface Asker {
  readonly kind: 'key' | 'user'
  readonly id: number
  readonly name: string
  /** The user itself, or the user of the key. */
  readonly userId: number
  readonly etag: string
  /** Its page; undefined if that page is open. */
  readonly page?: string
}

type AccessAnswer = paths['/access']['get']['responses'][200]['content']['application/json']

type Reason = AccessAnswer['because'][number]

export interface Access extends AccessAnswer {
  /** Paths of the folders in the reasons. */
  readonly folders: ReadonlyMap<number, string>
}

interface WhyAnswerProps {
  readonly of: Asker
  readonly access: Access
}

export function WhyAnswer({ of, access }: WhyAnswerProps) {
  const { t } = useTexts()
  const { allowed, because } = access
  return (
    <div class="card why-answer" aria-live="polite">
      <p class={allowed ? 'why-verdict may' : 'why-verdict why-not'}>
        <Icon name={allowed ? 'check' : 'close'} />
        <span>{verdict(of, access, t)}</span>
      </p>
      {because.length > 0 && (
        <ul class="why-reasons">
          {because.map((reason) => (
            <li key={`${reason.of} ${reason.detail}`}>
              <span>{inWords(reason, access, t)}</span>
              <Way of={of} reason={reason} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function verdict({ name }: Asker, { allowed, missing }: Access, t: Speech['t']): string {
  if (allowed) return fill(t.access.allowed, { name })
  if (missing === null) return fill(t.access.denied, { name })
  const grant = t.keys.grantNames[missing.grant]
  const { path } = missing
  return path === null
    ? fill(t.access.missingOnSite, { name, grant })
    : fill(t.access.missingIn, { name, grant, path })
}

function inWords(reason: Reason, { missing, folders }: Access, t: Speech['t']): string {
  const grant = missing === null ? '' : t.keys.grantNames[missing.grant]
  const path = folders.get(reason.asset_category_id ?? 0)
  switch (reason.of) {
    case 'role':
      return fill(t.access.becauseRole, { grant })
    case 'folder':
      return path === undefined
        ? fill(t.access.becauseFolderAbove, { grant })
        : fill(t.access.becauseFolder, { grant, path })
    case 'grants':
      return fill(t.access.becauseGrants, { grant })
    case 'scope':
      return path === undefined
        ? t.access.becauseScopeElsewhere
        : fill(t.access.becauseScope, { path })
    default:
      return t.access.because[reason.of]
  }
}

/** Only administrators can change users. */
function Way({ of, reason }: { readonly of: Asker; readonly reason: Reason }) {
  const { t } = useTexts()
  const me = useMe()
  const isAdmin = me !== undefined && mayEverywhere(me, 'admin')
  const isOfUser = reason.of === 'role' || reason.of === 'folder' || reason.of === 'user'
  const isOfKey = reason.of === 'grants' || reason.of === 'scope' || reason.of === 'key'
  if (isOfKey) return <Link href={`${of.page ?? ''}#change`}>{t.access.changeKey}</Link>
  if (!isOfUser || !isAdmin) return null
  if (of.kind === 'user') return <Link href="#change">{t.access.changeRoles}</Link>
  return <Link href={pathOf(`/users/${of.userId}`)}>{t.access.changeRoles}</Link>
}
