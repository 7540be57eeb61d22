// Rules of api_key as an object.

import { EXAMPLE_SECRET, SECRET_SCHEMA } from '../../schema/api-key.ts'
import type { ObjectRules } from '../object-rules.ts'
import { createKey, removeKey, updateKey } from './api-keys.ts'
import { keyShowing } from './key-showing.ts'

const CASCADE = 'cascade'

export const keyRules: ObjectRules = {
  ...keyShowing,
  readAccess: 'key',
  changeAccess: { create: 'key', update: 'key', remove: 'key' },
  body: 'json',
  needsRoom: 'record',
  async create(context, body) {
    const { stored, secret } = await createKey(context, body)
    return { stored, extra: { secret } }
  },
  hasSecret: true,
  update: updateKey,
  remove: (context, { options, ...input }) =>
    removeKey(context, { ...input, isCascade: options.has(CASCADE) }),
  removeOptions: [
    {
      name: CASCADE,
      description:
        'Also delete all keys that this key has created, directly or through other keys, as far as the asking key ' +
        'may delete them.',
    },
  ],
  notes: { created: SECRET_SCHEMA, createdExample: { secret: EXAMPLE_SECRET } },
}
