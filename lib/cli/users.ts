// cms-server user create | list | disable | enable | password | second-factor

import { createInterface } from 'node:readline'
import { type Command, Option } from 'commander'
import { dataOption } from '../config/config.ts'
import { CmsError } from '../base/errors.ts'
import { passwordFault, toPassword } from '../operations/people/password-rules.ts'
import { ROLE_NAMES } from '../schema/grants.ts'
import type { User } from '../schema/user.ts'
import { askDirectory } from './directory.ts'
import { printTable } from './table.ts'
import { printLine } from './print.ts'

export function addUserCommands(program: Command): void {
  const user = program
    .command('user')
    .description('make, show, disable and enable users; whether a server runs or not')

  user
    .command('create <name>')
    .description('make a user')
    .addOption(dataOption())
    .addOption(
      new Option('--role <role>', 'its role in all folders').choices(ROLE_NAMES).default('viewer'),
    )
    .action(
      async (name: string, { data, role }: { readonly data: string; readonly role: string }) => {
        const answer = await askDirectory(data, { command: 'user.create', name, role })
        printLine(`The user ${name} has the number ${(answer as { user_id: number }).user_id}.`)
      },
    )

  user
    .command('list')
    .description('show all users')
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

  addStatusCommands(user)
  addPasswordCommand(user)
  addSecondFactorCommand(user)
}

const STATUS_COMMANDS = {
  disable: {
    description: 'end the sessions of a user, and refuse all keys of it from now on',
    effect: 'Its sessions have ended. Its keys are refused until the user is enabled.',
  },
  enable: {
    description: 'accept the keys of a disabled user again',
    effect: 'Its keys are in force again: see cms-server key list.',
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

function addPasswordCommand(user: Command): void {
  user
    .command('password <name>')
    .description('set the password of a user; it is read from stdin')
    .addOption(dataOption())
    .action(async (name: string, { data }: { readonly data: string }) => {
      // Native code that no other command needs: it would slow their start.
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
    .description('tell whether a user has a second factor, or take it away')
    .addOption(dataOption())
    .option('--remove', 'take it away, and the recovery codes: the password alone lets in then')
    .action(
      async (name: string, { data, remove }: { readonly data: string; readonly remove?: true }) => {
        if (remove === true) {
          await askDirectory(data, { command: 'user.second-factor.remove', name })
          printLine(`The user ${name} has no second factor any more.`)
          return
        }
        const answer = await askDirectory(data, { command: 'user.second-factor', name })
        const { has_second_factor: isThere } = answer as { has_second_factor: boolean }
        printLine(`The user ${name} has ${isThere ? 'a' : 'no'} second factor.`)
      },
    )
}

/** One line of stdin; typed at a terminal it is not shown. */
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
