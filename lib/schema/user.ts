// user: a person or program account whose keys are authorized by its roles.

import { GRANTS, ROLE_NAMES, type RoleGrants } from '../shared/grants.ts'
import {
  accept,
  boolean,
  type Checked,
  choice,
  dateTime,
  integer,
  refuse,
  refuseAll,
  string,
  structure,
} from './field.ts'
import { foldName, NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'
import type { RecordType } from './values.ts'

export interface CategoryRole {
  readonly asset_category_id: number
  /** Null removes all grants in this subtree. */
  readonly role: string | null
}

/** As for other names. */
const MAX_ROLE_LENGTH = 255

const TOLD_TO = 'Null for a key without the admin grant, except for the signed-in user.'

export const user = defineObject({
  name: 'user',
  label: 'user',
  description:
    'An account with a role, and optionally other roles in folders. Its keys use the grants of these roles.',
  example: {
    create: { name: 'ada', role: 'editor' },
    update: { role: 'viewer' },
    record: {
      user_id: 2,
      has_password: false,
      has_second_factor: false,
      date_link_expires: null,
      recovery_codes_left: 0,
    },
  },
  fields: {
    name: string('required', {
      description:
        'Unique name, with which the user signs in; case is ignored. Records keep the name that their creator had.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    display_name: string('optional', {
      description: `The name of the person, which the administration area shows. It can be changed, and need not be unique. ${TOLD_TO}`,
      isIndexed: false,
    }),
    role: string('optional', {
      description: `The role everywhere except in the folders of category_roles: ${ROLE_NAMES.join(', ')}, or the name of a role of the site; null: none.`,
      example: 'editor',
    }),
    category_roles: structure('optional', categoryRolesSchema(), checkCategoryRoles, {
      description:
        'Roles in folders. Each role applies to the whole subtree, except for folders with their own role. A key for a ' +
        'folder gets only the roles in the folders that it can see.',
      initial: [],
    }),
    role_grants: structure('assigned', roleGrantsSchema(), (): Checked<RoleGrants> => refuseAll(), {
      description:
        'The grants of the roles of the site that the user has, by name; null if the user has none of them.',
    }),
    former_names: structure(
      'assigned',
      { type: 'array', items: { type: 'string' } },
      (): Checked<readonly string[]> => refuseAll(),
      {
        description: `Earlier names, the newest first; null if the name never changed. No other user can have them. ${TOLD_TO}`,
      },
    ),
    status: choice('optional', ['active', 'disabled'], {
      // Null would mean active and restore access that was withdrawn.
      isClearable: false,
      description:
        'While a user is disabled, its keys are rejected; they work again once the user is active. Its sessions end permanently.',
      initial: 'active',
    }),
    email: string('optional', {
      description: `Email address for sign-in through a provider and for mail, if the server sends mail. ${TOLD_TO}`,
    }),
    has_password: boolean('assigned', {
      description: `Whether the user can sign in at /admin with a password. ${TOLD_TO}`,
      isStored: false,
    }),
    has_second_factor: boolean('assigned', {
      description: `Whether sign-in requires a code in addition to the password. ${TOLD_TO}`,
      isStored: false,
    }),
    date_link_expires: dateTime('assigned', {
      description: `When the link expires with which the user can set a password; null without a link. The date may have passed. ${TOLD_TO}`,
      isStored: false,
    }),
    recovery_codes_left: integer('assigned', {
      description: `Number of unused recovery codes; 0 without a second factor. ${TOLD_TO}`,
      isStored: false,
    }),
  },
  indexes: [
    { name: 'by_name', width: 1, rows: (record) => [[foldName(String(record['name']))]] },
    // Only for users who have been renamed.
    {
      name: 'former_name',
      rows: ({ former_names: names }) =>
        Array.isArray(names) ? names.map((name) => [foldName(String(name))]) : [],
    },
    // Only for users who have a role of the site.
    {
      name: 'own_role',
      rows: (record) => Object.keys(record['role_grants'] ?? {}).map((name) => [name]),
    },
  ],
})

export type User = RecordOf<typeof user>

/** Key: [user_id]. Stored separately, so that no read can return it. */
interface UserPassword {
  /** An argon2id string. */
  readonly password: string
}

export const userPassword: RecordType<UserPassword> = { name: 'user_password', indexes: [] }

/** Key: [user_id]; a user has at most one link. */
export interface UserLink {
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string
  readonly date_expires: string
  /** Null for the operator. `api_key_id` is null if a signed-in user made the link. */
  readonly made_by: { readonly user_id: number; readonly api_key_id: number | null } | null
}

/** The link with which a user sets a password. */
export const userLink: RecordType<UserLink> = {
  name: 'user_link',
  indexes: [
    { name: 'hash', rows: (record) => [[String(record['hash'])]] },
    {
      name: 'maker',
      rows: ({ made_by: maker }) => {
        const { user_id: id } = (maker ?? {}) as Partial<NonNullable<UserLink['made_by']>>
        return id === undefined ? [] : [[id]]
      },
    },
  ],
}

function categoryRolesSchema() {
  return {
    type: 'array',
    maxItems: 1_000,
    items: {
      type: 'object',
      required: ['asset_category_id', 'role'],
      additionalProperties: false,
      properties: {
        asset_category_id: { type: 'integer', minimum: 1 },
        role: { type: ['string', 'null'], maxLength: MAX_ROLE_LENGTH },
      },
    },
  }
}

function roleGrantsSchema() {
  const grants = { type: 'array', items: { type: 'string', enum: GRANTS } }
  return { type: 'object', additionalProperties: grants }
}

function checkCategoryRoles(
  value: unknown,
): Checked<readonly { readonly asset_category_id: number; readonly role: string | null }[]> {
  if (!Array.isArray(value) || value.length > 1_000)
    return refuse('must be a list of at most 1,000 roles')

  const roles = value.map((item: unknown) => toCategoryRole(item))
  const good = roles.filter((item) => item !== undefined)
  if (good.length < roles.length) {
    return refuse(
      'must contain only objects {"asset_category_id": 12, "role": "editor"}, or null for no role, without another member',
    )
  }
  const ids = new Set(good.map((item) => item.asset_category_id))
  return ids.size === good.length ? accept(good) : refuse('must not name a folder twice')
}

function toCategoryRole(
  item: unknown,
): { asset_category_id: number; role: string | null } | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const {
    asset_category_id: id,
    role = null,
    ...unknown
  } = item as Partial<Record<string, unknown>>
  // Ignoring a misspelled limit would grant too much.
  if (Object.keys(unknown).length > 0) return undefined
  if (!Number.isSafeInteger(id) || Number(id) < 1) return undefined
  if (role !== null && (typeof role !== 'string' || role.length > MAX_ROLE_LENGTH)) return undefined
  return { asset_category_id: Number(id), role }
}

/** Key: [user_id]; active. Stored separately from the user, so that no read can return it. */
export interface SecondFactor {
  /** Base32 of 20 random bytes. */
  readonly secret: string
  /** Time step of the last accepted code: this code and earlier codes are used up. */
  readonly last_step: number
  /** SHA-256 of the unused recovery codes, hexadecimal. */
  readonly recovery_codes: readonly string[]
}

/**
 * The second factor of a user: time-based codes (TOTP, RFC 6238), and recovery codes for users who have lost
 * their authenticator. A TOTP secret is shared and cannot be stored as a hash. It is not encrypted either: the
 * key would be in the same records and in every backup, and a key on only one disk would lock out everybody
 * after a restore. Anybody who reads the data directory or a backup can compute codes, but still lacks the
 * password.
 */
export const secondFactor: RecordType<SecondFactor> = { name: 'second_factor', indexes: [] }

/** Key: [user_id]; shown to its user, but not active until the user sends a code. */
interface NextSecondFactor {
  readonly secret: string
  readonly date_ends: string
}

export const nextSecondFactor: RecordType<NextSecondFactor> = {
  name: 'next_second_factor',
  indexes: [],
}
