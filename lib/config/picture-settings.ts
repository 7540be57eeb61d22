// The flags for pictures.

import { InvalidArgumentError } from 'commander'
import {
  PICTURE_SETTINGS,
  type PictureWish,
  readPictureWish,
} from '../shared/picture-parameters.ts'
import { number, setting, type Table } from './setting.ts'

/** Sizes of pictures by name. */
export type PicturePresets = ReadonlyMap<string, PictureWish>

const EXAMPLE_PRESETS = 'thumb=width:320,height:320,fit:cover; hero=width:1600'

/** Each preset is a name and the parameters of a download (picture-parameters.ts). */
function picturePresets(text: string): PicturePresets {
  const presets = new Map<string, PictureWish>()
  for (const item of text.split(';').map((part) => part.trim())) {
    if (item === '') continue
    const [, name = '', list = ''] = /^([a-z0-9][a-z0-9_-]{0,31})=(.+)$/.exec(item) ?? []
    const given = readSettings(list)
    const wish = given && readPictureWish(given)
    if (typeof wish === 'string')
      throw new InvalidArgumentError(`The preset ${name} is not valid: ${wish}.`)
    if (wish === undefined || presets.has(name))
      throw new InvalidArgumentError(
        `Give each preset once, as a name in lower case and the parameters of a picture, such as "${EXAMPLE_PRESETS}".`,
      )
    presets.set(name, wish)
  }
  return presets
}

/** Undefined unless the text is a list of different parameters. */
function readSettings(list: string): Record<string, string> | undefined {
  const given: Record<string, string> = {}
  // A focus contains a comma.
  for (const pair of list.split(/,(?=[a-z])/)) {
    const [, name = '', value = ''] = /^([a-z]+):([^:]+)$/.exec(pair) ?? []
    if (name in given || !PICTURE_SETTINGS.some((each) => each === name)) return undefined
    given[name] = value
  }
  return given
}

const MIB = 1024 * 1024

export const PICTURES = {
  pictureCacheBytes: number(
    '--picture-cache-mb <number>',
    'size of the local cache of pictures in other sizes and formats, in MiB',
    { from: 16, to: 1_048_576, usual: 1024, unit: MIB },
  ),
  picturePresets: setting<PicturePresets>(
    '--picture-presets <presets>',
    'sizes of pictures by name, separated by semicolons: "thumb=width:320,height:320; hero=width:1600"',
    { read: picturePresets, usual: new Map(), shown: 'none' },
  ),
} satisfies Table
