// user: somebody whose keys may do something here.

import type { RecordType } from './values.ts'
import {
  accept,
  boolean,
  type Checked,
  choice,
  integer,
  refuse,
  string,
  structure,
} from './field.ts'
import { isRole, ROLE_NAMES, type Role } from './grants.ts'
import { foldName, NAME_PATTERN, nameFault } from './names.ts'
import { defineObject, type RecordOf } from './object.ts'

export interface CategoryRole {
  readonly asset_category_id: number
  /** Null takes all grants away in this subtree. */
  readonly role: Role | null
}

const TOLD_TO =
  'A key without the grant admin is answered null; the user who has signed in is told.'

export const user = defineObject({
  name: 'user',
  label: 'user',
  description:
    'Somebody whose keys may do something here: a role, and other roles in folders where wanted.',
  example: {
    create: { name: 'ada', role: 'editor' },
    update: { role: 'viewer' },
    record: { user_id: 2, has_password: false, has_second_factor: false, recovery_codes_left: 0 },
  },
  fields: {
    name: string('required', {
      description: 'Unique, compared without regard to case.',
      shownPattern: NAME_PATTERN,
      check: nameFault,
    }),
    role: choice('optional', ROLE_NAMES, {
      description: 'The role everywhere but in the folders of category_roles; null: none.',
    }),
    category_roles: structure('optional', categoryRolesSchema(), checkCategoryRoles, {
      description:
        'Roles in folders. Each holds for the whole subtree, up to a folder with a role of its own. A key for a ' +
        'folder is shown those in the folders that it sees.',
      initial: [],
    }),
    status: choice('optional', ['active', 'disabled'], {
      // Null would stand for active, and let in again who was shut out.
      isClearable: false,
      description:
        'While a user is disabled its keys are refused; they are good again when it is active. Its sessions end for good.',
      initial: 'active',
    }),
    email: string('optional', {
      description: `Address for people; the server sends no mail. ${TOLD_TO}`,
    }),
    has_password: boolean('assigned', {
      description: `Whether the user can sign in at /admin with a password. ${TOLD_TO}`,
      isStored: false,
    }),
    has_second_factor: boolean('assigned', {
      description: `Whether a code is asked for beside the password. ${TOLD_TO}`,
      isStored: false,
    }),
    recovery_codes_left: integer('assigned', {
      description: `How many of its recovery codes are still good; 0 without a second factor. ${TOLD_TO}`,
      isStored: false,
    }),
  },
  indexes: [{ name: 'by_name', rows: (record) => [[foldName(String(record['name']))]] }],
})

export type User = RecordOf<typeof user>

/** Key: [user_id]; kept apart, so that no read can return it. */
interface UserPassword {
  /** An argon2id string. */
  readonly password: string
}

export const userPassword: RecordType<UserPassword> = { name: 'user_password', indexes: [] }

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
        role: { type: ['string', 'null'], enum: [...ROLE_NAMES, null] },
      },
    },
  }
}

function checkCategoryRoles(
  value: unknown,
): Checked<readonly { readonly asset_category_id: number; readonly role: Role | null }[]> {
  if (!Array.isArray(value) || value.length > 1_000)
    return refuse('must be a list of at most 1,000 roles')

  const roles = value.map((item: unknown) => toCategoryRole(item))
  const good = roles.filter((item) => item !== undefined)
  if (good.length < roles.length) {
    return refuse(
      `must hold objects {"asset_category_id": 12, "role": "${ROLE_NAMES.join('|')}" or null}, without another member`,
    )
  }
  const ids = new Set(good.map((item) => item.asset_category_id))
  return ids.size === good.length ? accept(good) : refuse('must not name a folder twice')
}

function toCategoryRole(
  item: unknown,
): { asset_category_id: number; role: Role | null } | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  const {
    asset_category_id: id,
    role = null,
    ...unknown
  } = item as Partial<Record<string, unknown>>
  // A limit that is misspelt must not be dropped.
  if (Object.keys(unknown).length > 0) return undefined
  if (!Number.isSafeInteger(id) || Number(id) < 1 || (role !== null && !isRole(role)))
    return undefined
  return { asset_category_id: Number(id), role }
}
