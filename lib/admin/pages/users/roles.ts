// The roles of users: the fixed roles, and the roles that the site defines.

import { type Grant, GRANTS, isRole, ROLE_NAMES } from '../../../shared/grants.ts'
import { type Api, dataOf } from '../../client/api.ts'
import { useApi } from '../../client/client-context.ts'
import type { components } from '../../client/interface.d.ts'
import type { Speech } from '../../texts/use-texts.ts'
import { type Requested, useRequest } from '../../ui/use-request.ts'

export type OwnRole = components['schemas']['role']

/** At least as many as a site may have. */
const LENGTH = 100

/** The roles of the site, by name. */
export function useOwnRoles(): Requested<readonly OwnRole[]> {
  const api = useApi()
  return useRequest((signal) => readOwnRoles(api, signal), [])
}

async function readOwnRoles(api: Api, signal: AbortSignal): Promise<readonly OwnRole[]> {
  const query = { length: LENGTH, orderStr: 'name' }
  // Without `fields`, the response has all fields.
  return (await dataOf(api.GET('/role', { signal, params: { query } }))).role as OwnRole[]
}

export function roleName(role: string | null, t: Speech['t']): string {
  if (role === null) return t.users.roles.none
  return isRole(role) ? t.users.roles[role] : role
}

/** The options of a list of roles. `value` is always among them, also before the roles of the site are read. */
export function roleOptions(
  t: Speech['t'],
  {
    own = [],
    value = '',
  }: { readonly own?: readonly OwnRole[] | undefined; readonly value?: string },
) {
  const names = own.map(({ name }) => name)
  const isUnknown = value !== '' && !isRole(value) && !names.includes(value)
  const all = [...ROLE_NAMES, ...names, ...(isUnknown ? [value] : [])]
  return all.map((name) => ({ value: name, text: roleName(name, t) }))
}

/** Grants in words. */
export function grantNames(grants: readonly Grant[], t: Speech['t']): string {
  if (grants.length === 0) return t.general.none
  return GRANTS.filter((grant) => grants.includes(grant))
    .map((grant) => t.keys.grantNames[grant])
    .join(', ')
}
