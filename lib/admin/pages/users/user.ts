// A user as the server returns it, and as form values.

import type { components, operations } from '../../client/interface.d.ts'
import { Problem } from '../../client/problem.ts'

export type User = components['schemas']['user']

type UserBody = operations['patch_user']['requestBody']['content']['application/json']

/** Form values as text. */
export interface UserValues {
  readonly [name: string]: string
  /** '' for no role. */
  readonly role: string
  readonly name: string
  readonly display_name: string
  readonly email: string
  /** Rows of folderRolesOf() as JSON. */
  readonly category_roles: string
}

/** A row of the folder roles form. */
export interface FolderRole {
  /** '' before a folder is chosen. */
  readonly folder: string
  readonly role: string
}

export function valuesOf({
  name,
  role,
  email,
  display_name: shown,
  category_roles: roles,
}: User): UserValues {
  const rows = (roles ?? []).map((each) => ({
    folder: String(each.asset_category_id),
    role: each.role ?? '',
  }))
  return {
    name,
    display_name: shown ?? '',
    role: role ?? '',
    email: email ?? '',
    category_roles: JSON.stringify(rows),
  }
}

/** Converts changed fields to a request body. */
export function bodyOf({
  name,
  role,
  email,
  display_name: shown,
  category_roles: rows,
}: Partial<UserValues>) {
  const body: Pick<UserBody, 'name' | 'display_name' | 'role' | 'email' | 'category_roles'> = {
    ...(name !== undefined && { name: name.trim() }),
    ...(shown !== undefined && { display_name: shown.trim() === '' ? null : shown.trim() }),
    ...(role !== undefined && { role: roleOf(role) }),
    ...(email !== undefined && { email: email.trim() === '' ? null : email.trim() }),
    ...(rows !== undefined && {
      category_roles: folderRolesOf(rows).map((each) => ({
        asset_category_id: Number(each.folder),
        role: roleOf(each.role),
      })),
    }),
  }
  return body
}

export function folderRolesOf(text: string): readonly FolderRole[] {
  return text === '' ? [] : (JSON.parse(text) as readonly FolderRole[])
}

export function roleOf(text: string): string | null {
  return text === '' ? null : text
}

/** The display name, or the name without one. */
export function shownName({
  name,
  display_name: shown,
}: Pick<User, 'name' | 'display_name'>): string {
  return shown ?? name
}

/** Whether the user has a link for setting a password that has not expired. */
export function hasLink({ date_link_expires: date }: User): boolean {
  return date !== null && Date.parse(date) > Date.now()
}

/** The server requires at least one administrator. */
export function isLastAdmin(error: unknown): boolean {
  return error instanceof Problem && error.code === 'in-use'
}
