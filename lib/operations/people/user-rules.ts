// Rules of user as an object.

import type { ObjectRules } from '../object-rules.ts'
import { userShowing } from './user-showing.ts'
import { createUser, removeUser, updateUser } from './users.ts'

export const userRules: ObjectRules = {
  ...userShowing,
  readAccess: 'key',
  changeAccess: { create: ['admin'], update: ['admin'], remove: ['admin'] },
  body: 'nested',
  needsRoom: 'record',
  create: createUser,
  update: updateUser,
  remove: removeUser,
}
