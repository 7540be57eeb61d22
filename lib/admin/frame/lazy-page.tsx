// A page that is loaded when it is opened first. Where that fails, the server has another version most of the time, and
// loading anew brings it: once by itself, then by who reads the page.

import type { ComponentType } from 'preact'
import lazy from 'preact-iso/lazy'
import { LoadFailed } from './load-failed.tsx'

type Load = () => Promise<ComponentType>

const TRIED = 'cms.loaded-anew'

const known = new WeakMap<Load, ComponentType>()

/** The same component each time, or the page would be built anew whenever the frame is drawn. */
export function lazyPage(load: Load): ComponentType {
  const component = known.get(load) ?? lazy(() => loadOrTell(load))
  known.set(load, component)
  return component
}

async function loadOrTell(load: Load): Promise<{ default: ComponentType }> {
  try {
    const component = await load()
    sessionStorage.removeItem(TRIED)
    return { default: component }
  } catch {
    if (sessionStorage.getItem(TRIED) === null) {
      sessionStorage.setItem(TRIED, location.pathname)
      location.reload()
    }
    return { default: LoadFailed }
  }
}
