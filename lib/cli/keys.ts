// cms-server key create | list | revoke | rotate

import { type Command, Option } from 'commander'
import { dataOption } from '../config/config.ts'
import { CmsError } from '../base/errors.ts'
import { type ApiKey, isSession } from '../schema/api-key.ts'
import { ROLE_NAMES } from '../shared/grants.ts'
import { counted } from '../schema/message-text.ts'
import { askDirectory } from './directory.ts'
import { readCount } from './exit.ts'
import { printLine, printTable } from './print.ts'

interface CreateFlags {
  readonly data: string
  readonly name: string
  readonly user?: string
  readonly role?: string
  readonly grants?: string
  readonly category?: number
  readonly expires?: string
  readonly timeZone: string
}

type ListedKey = ApiKey & { readonly state: string; readonly state_reason: string | null }

interface RevokeFlags {
  readonly data: string
  readonly cascade?: boolean
  readonly all?: boolean
}

export function addKeyCommands(program: Command): void {
  const key = program
    .command('key')
    .description('create, list, revoke and rotate API keys, with or without a running server')

  addCreateCommand(key)

  key
    .command('list')
    .description('list all keys')
    .addOption(dataOption())
    .action(async ({ data }: { readonly data: string }) => {
      const keys = (await askDirectory(data, { command: 'key.list' })) as readonly ListedKey[]
      printTable(
        ['id', 'name', 'user', 'state', 'grants', 'folder', 'expires', 'created by', 'secret'],
        keys.map((item) => [
          item.api_key_id,
          item.name,
          item.user_id,
          item.state,
          item.grants?.length === 0 ? 'none' : (item.grants?.join(',') ?? 'all of its user'),
          item.asset_category_id ?? 'all',
          item.date_expires ?? 'never',
          item.made_by ?? (isSession(item) ? 'sign-in' : 'command'),
          item.hint ?? '',
        ]),
      )
      for (const { api_key_id: id, state, state_reason: reason } of keys)
        if (state === 'expired') console.error(`Key ${id}: ${reason}`)
    })

  key
    .command('revoke [key]')
    .description('revoke a key permanently, by its number or name')
    .option('--cascade', 'also revoke all keys that this key created, directly or indirectly')
    .addOption(
      new Option('--all', 'revoke all keys and links of the site and end all sessions').conflicts(
        'cascade',
      ),
    )
    .addOption(dataOption())
    .action(async (wanted: string | undefined, { data, cascade, all }: RevokeFlags) => {
      if ((wanted === undefined) !== (all === true))
        throw new CmsError('bad-request', 'Name one key, or give --all to revoke all keys.')
      if (wanted === undefined) {
        const count = await askDirectory(data, { command: 'key.revoke-all' })
        printLine(`${counted(Number(count), 'key')} revoked, and all sessions and links ended.`)
        return
      }
      await askDirectory(data, { command: 'key.revoke', key: wanted, cascade: cascade === true })
      const others = cascade === true ? ', together with all keys that descend from it' : ''
      printLine(`Revoked the key ${wanted}${others}.`)
    })

  addRotateCommand(key)
}

function addCreateCommand(key: Command): void {
  key
    .command('create')
    .description('create a key and print its secret to stdout; the secret is shown only once')
    .addOption(dataOption())
    .requiredOption('--name <text>', 'purpose of the key')
    .option('--user <name>', 'user that the key belongs to', 'admin')
    .addOption(
      new Option('--role <role>', 'limit the key to the grants of a role')
        .choices(ROLE_NAMES)
        .conflicts('grants'),
    )
    .option(
      '--grants <list>',
      'limit the key to these grants: view,create,modify,delete,stage,publish,admin',
    )
    .option(
      '--category <id>',
      'limit the key to the subtree of this folder (asset_category)',
      readCount,
    )
    .option(
      '--expires <time>',
      'when the key expires: after a duration (30d, 12h, …), at the end of a day, or at an exact time',
    )
    .option(
      '--time-zone <name>',
      'time zone of the day in --expires',
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    )
    .action(async ({ data, ...args }: CreateFlags) => {
      const made = await askDirectory(data, { command: 'key.create', ...args })
      const { secret, date_expires: end } = made as Pick<ApiKey, 'date_expires'> & {
        readonly secret: string
      }
      console.log(secret)
      if (end !== null) console.error(`The key expires at ${end}.`)
    })
}

function addRotateCommand(key: Command): void {
  key
    .command('rotate <key>')
    .description('create a new secret for a key and print the secret to stdout')
    .addOption(dataOption())
    .option('--keep-old <time>', 'how long the old secret stays valid (30d, 12h, 90s, …)', '0')
    .action(
      async (
        wanted: string,
        { data, keepOld }: { readonly data: string; readonly keepOld: string },
      ) => {
        const answer = await askDirectory(data, { command: 'key.rotate', key: wanted, keepOld })
        console.log((answer as { secret: string }).secret)
      },
    )
}
