// cms-server user create | list | rename | disable | enable | link | password | second-factor

import { createInterface } from 'node:readline'
import { type Command, Option } from 'commander'
import { baseUrlOption, dataOption } from '../config/config.ts'
import { CmsError } from '../base/errors.ts'
import { passwordFault, toPassword } from '../operations/people/password-rules.ts'
import { ROLE_NAMES } from '../shared/grants.ts'
import type { User } from '../schema/user.ts'
import { askDirectory } from './directory.ts'
import { printLine, printTable } from './print.ts'

export function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('create, list, rename, disable and enable users, with or without a running server')

  user
    .command('create <name>')
    .description('create a user')
    .addOption(dataOption())
    .addOption(
      new Option(
        '--role <role>',
        `role of the user in all folders: ${ROLE_NAMES.join(', ')}, or a role of the site`,
      ).default('viewer'),
    )
    .action(
      async (name: string, { data, role }: { readonly data: string; readonly role: string }) => {
        const answer = await askDirectory(data, { command: 'user.create', name, role })
        printLine(
          `Created the user ${name} with the number ${(answer as { user_id: number }).user_id}.`,
        )
      },
    )

  user
    .command('list')
    .description('list all users')
    .addOption(dataOption())
    .action(async ({ data }: { readonly data: string }) => {
      const users = (await askDirectory(data, { command: 'user.list' })) as readonly User[]
      const rows = users.map((item) => [
        item.user_id,
        item.name,
        item.role ?? 'none',
        item.status ?? '',
      ])
      printTable(['id', 'name', 'role', 'status'], rows)
    })

  addRenameCommand(user)
  addStatusCommands(user)
  addLinkCommand(user)
  addPasswordCommand(user)
  addSecondFactorCommand(user)
}

const STATUS_COMMANDS = {
  disable: {
    description: 'end the sessions of a user and reject the keys of the user',
    effect:
      'The sessions of the user have ended, and the keys of the user are rejected until the user is enabled.',
  },
  enable: {
    description: 'accept the keys of a disabled user again',
    effect: 'The keys of the user are accepted again: see cms-server key list.',
  },
} as const

function addStatusCommands(user: Command): void {
  for (const [name, { description, effect }] of Object.entries(STATUS_COMMANDS)) {
    user
      .command(`${name} <name>`)
      .description(description)
      .addOption(dataOption())
      .action(async (userName: string, { data }: { readonly data: string }) => {
        await askDirectory(data, { command: `user.${name}`, name: userName })
        printLine(`The user ${userName} is ${name}d. ${effect}`)
      })
  }
}

function addRenameCommand(user: Command): void {
  user
    .command('rename <name> <new-name>')
    .description('change the name with which a user signs in')
    .addOption(dataOption())
    .action(async (name: string, newName: string, { data }: { readonly data: string }) => {
      await askDirectory(data, { command: 'user.rename', name, newName })
      printLine(`The user ${name} is now ${newName}. Sessions and keys stay valid.`)
    })
}

interface LinkOptions {
  readonly data: string
  readonly baseUrl?: string
}

function addLinkCommand(user: Command): void {
  user
    .command('link <name>')
    .description('create a link with which a user can set a password, once and within three days')
    .addOption(dataOption())
    .addOption(baseUrlOption())
    .action(async (name: string, { data, baseUrl }: LinkOptions) => {
      const answer = await askDirectory(data, { command: 'user.link', name })
      const { path } = answer as { path: string }
      if (baseUrl === undefined)
        console.error('Put the address of the server in front of this link, or give --base-url:')
      printLine(`${baseUrl ?? ''}${path}`)
    })
}

function addPasswordCommand(user: Command): void {
  user
    .command('password <name>')
    .description('set the password of a user; the password is read from stdin')
    .addOption(dataOption())
    .action(async (name: string, { data }: { readonly data: string }) => {
      // Loaded here because this native module would slow the start of other commands.
      const { hashPassword } = await import('../workers/passwords.ts')
      const password = toPassword(await readPassword())
      const fault = passwordFault(password)
      if (fault !== undefined) throw new CmsError('invalid-content', `A password ${fault}.`)
      await askDirectory(data, {
        command: 'user.password',
        name,
        hashed: await hashPassword(password),
      })
      printLine(`The password of ${name} is set.`)
    })
}

function addSecondFactorCommand(user: Command): void {
  user
    .command('second-factor <name>')
    .description('show whether a user has a second factor, or remove it')
    .addOption(dataOption())
    .option(
      '--remove',
      'remove the second factor and the recovery codes; the password alone is then enough to sign in',
    )
    .action(
      async (name: string, { data, remove }: { readonly data: string; readonly remove?: true }) => {
        if (remove === true) {
          await askDirectory(data, { command: 'user.second-factor.remove', name })
          printLine(`Removed the second factor of the user ${name}.`)
          return
        }
        const answer = await askDirectory(data, { command: 'user.second-factor', name })
        const { has_second_factor: isThere } = answer as { has_second_factor: boolean }
        printLine(`The user ${name} has ${isThere ? 'a' : 'no'} second factor.`)
      },
    )
}

/** Reads one line from stdin; a terminal does not echo the typed password. */
function readPassword(): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return readLine()
  stderr.write('Password: ')
  stdin.setRawMode(true)
  return readHidden().finally(() => {
    stdin.setRawMode(false)
    stderr.write('\n')
  })
}

function readLine(): Promise<string> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin })
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => resolve(''))
  })
}

const ENTER = new Set(['\r', '\n', '\u0004'])
const INTERRUPT = '\u0003'
const ERASE = new Set(['\u007f', '\b'])

function readHidden(): Promise<string> {
  const { stdin } = process
  return new Promise((resolve, reject) => {
    let typed: readonly string[] = []
    const onData = (chunk: string): void => {
      for (const char of chunk) {
        if (char === INTERRUPT)
          return finish(() => reject(new CmsError('bad-request', 'Nothing was changed.')))
        if (ENTER.has(char)) return finish(() => resolve(typed.join('')))
        typed = ERASE.has(char) ? typed.slice(0, -1) : [...typed, char]
      }
    }
    const finish = (settle: () => void): void => {
      stdin.off('data', onData)
      stdin.pause()
      settle()
    }
    stdin.setEncoding('utf8').on('data', onData).resume()
  })
}
