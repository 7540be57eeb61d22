// asset_file in the common pattern.

import { LIMITS } from '../../config/limits.ts'
import { IN_FOLDERS, type ObjectRules } from '../object-rules.ts'
import { createFile, removeFile, updateFile } from './asset-files.ts'
import { clearFiles } from './file-removal.ts'
import { fileShowing } from './file-showing.ts'
import { createFiles } from './new-files.ts'

const SAVES =
  'Every save makes a version: a body with any field besides fileState, also where it has the value that is stored. An empty ' +
  'body makes none. Neither the live nor the staged version moves by it. pageContent null is taken where a read answers it so, ' +
  'and refused where there is a text.'

const FILE_STATE =
  'A body with fileState also publishes or stages, in the same commit. fileState alone needs the grant ' +
  'publish or stage, and not modify.'

const FILE_LIST =
  `A list of up to ${LIMITS.maxNewFiles} files is created in one commit: all or none. Its answer is {"asset_file": [ … ]}, the ` +
  'records as in a list, without their pages; a refusal names the place in the list.'

const POSTED_BACK =
  'A record that was read can be posted back: in a body that has live_version, a fileState that is as it ' +
  'was moves nothing; fileState null is taken where it is null, and takes nothing off the site (that is …/unpublish). To publish the latest version again, send fileState without live_version.'

export const fileRules: ObjectRules = {
  ...fileShowing,
  ...IN_FOLDERS,
  // A body with fileState alone needs publish or stage, and not modify.
  changeAccess: { ...IN_FOLDERS.changeAccess, update: ['modify', 'publish', 'stage'] },
  body: 'page',
  // Even an empty file is one.
  needsRoom: 'content',
  create: createFile,
  createAll: createFiles,
  update: updateFile,
  remove: removeFile,
  clear: clearFiles,
  notes: {
    create: [FILE_STATE, FILE_LIST],
    update: [SAVES, FILE_STATE, POSTED_BACK],
  },
}
