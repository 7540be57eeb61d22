// A page that is loaded when it is opened first. Where that fails the server is gone, and is waited for; or it has
// another version by now, and loading anew brings that: once by itself, then by who reads the page.

import type { ComponentType } from 'preact'
import { useErrorBoundary } from 'preact/hooks'
import lazy from 'preact-iso/lazy'
import { useRoute } from 'preact-iso/router'
import type { Connection } from '../client/connection.ts'
import type { OpenTexts } from '../texts/open-texts.ts'
import { UnknownPage } from '../pages/unknown/unknown.tsx'
import { LoadFailed, PageBroken } from './load-failed.tsx'
import type { PageDefinition } from './page-definition.ts'

type Load = () => Promise<ComponentType>

const TRIED = 'cms.loaded-anew'

const known = new WeakMap<Load, ComponentType>()

export interface Loading {
  readonly connection: Connection
  readonly addTexts: OpenTexts['add']
}

/** The same component each time, or the page would be built anew whenever the frame is drawn. */
export function lazyPage(page: PageDefinition, { connection, addTexts }: Loading): ComponentType {
  const { load, texts } = page
  // A page that says more than the first view has fields, or lists that are searched: things that are refused.
  const wanted = texts === undefined ? [] : (['faults', ...texts] as const)
  const loadAll: Load = async () => (await Promise.all([load(), addTexts(wanted)]))[0]
  const component = known.get(load) ?? guarded(lazy(() => loadOrTell(loadAll, connection)))
  known.set(load, component)
  return component
}

/** The number of a record in an address. A JavaScript number holds no more digits exactly. */
const NUMBER = /^[1-9]\d{0,14}$/

/** Where a page breaks, the way to the others stays. An address whose record has no number is that of no page. */
function guarded(Inner: ComponentType): ComponentType {
  return function Guarded() {
    // Whatever was thrown.
    const [failure] = useErrorBoundary() as [unknown, () => void]
    const id = useRoute().params['id']
    if (id !== undefined && !NUMBER.test(id)) return <UnknownPage />
    return failure === undefined ? <Inner /> : <PageBroken error={failure} />
  }
}

async function loadOrTell(
  load: Load,
  connection: Connection,
): Promise<{ readonly default: ComponentType }> {
  try {
    return { default: await loadTwice(load, connection) }
  } catch {
    if (sessionStorage.getItem(TRIED) !== null) return { default: LoadFailed }
    sessionStorage.setItem(TRIED, location.pathname)
    location.reload()
    // Nothing is shown of it any more.
    return new Promise(() => undefined)
  }
}

/** The second time the server is there for sure: to load anew while it is gone would leave no page at all. */
async function loadTwice(load: Load, connection: Connection): Promise<ComponentType> {
  const component = await load().catch(async () => {
    connection.lose()
    await connection.back()
    return load()
  })
  sessionStorage.removeItem(TRIED)
  return component
}
