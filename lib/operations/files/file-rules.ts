// Rules of asset_file as an object.

import { LIMITS } from '../../config/limits.ts'
import { IN_FOLDERS, type ObjectRules } from '../object-rules.ts'
import { createFile, removeFile, updateFile } from './asset-files.ts'
import { clearFiles } from './file-removal.ts'
import { fileShowing } from './file-showing.ts'
import { createFiles } from './new-files.ts'

const SAVES =
  'Every save makes a version: a body with any field besides fileState, even if the value is unchanged. An empty ' +
  'body makes none. A save moves neither the live nor the staged version. pageContent null is accepted if a read ' +
  'returns null, and refused if the file has a text.'

const FILE_STATE =
  'A body with fileState also publishes or stages, in the same commit. fileState alone needs the grant ' +
  'publish or stage, but not modify.'

const FILE_LIST =
  `A list of up to ${LIMITS.maxNewFiles} files is created in one commit: all or none. The answer is {"asset_file": [ … ]}, with the ` +
  'records as in a list, without their pages; an error names the place in the list.'

const POSTED_BACK =
  'A record that was read can be posted back: in a body with live_version, an unchanged fileState ' +
  'moves nothing. fileState null is accepted if it is null, and takes nothing off the site (use …/unpublish for that). To publish the latest version again, send fileState without live_version.'

export const fileRules: ObjectRules = {
  ...fileShowing,
  ...IN_FOLDERS,
  // A body with fileState alone needs publish or stage, but not modify.
  changeAccess: { ...IN_FOLDERS.changeAccess, update: ['modify', 'publish', 'stage'] },
  body: 'page',
  // Even an empty file needs space for content.
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
