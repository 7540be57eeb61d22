// Reads the Dockerfile of the project, so that the rig runs the documented steps. An instruction that the rig cannot
// run is an error.

import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Step {
  readonly instruction: string
  readonly text: string
}

export interface Stage {
  readonly base: string
  readonly name: string | undefined
  readonly steps: readonly Step[]
}

export function readDockerfile(path: string): readonly Stage[] {
  const lines = readFileSync(path, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: { base: string; name: string | undefined; steps: Step[] }[] = []
  for (const line of lines) {
    const [, instruction = '', text = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      const [base = '', , name] = text.split(' ')
      stages.push({ base, name, steps: [] })
    } else stages.at(-1)?.steps.push({ instruction, text })
  }
  return stages
}

/** The words of an instruction in the exec form: ["cms-server", "health"]. */
export function execForm(text: string): readonly string[] {
  return JSON.parse(text) as readonly string[]
}

/** Copies the files that .dockerignore admits, whose first line excludes everything. */
export function copyContext(project: string, target: string): void {
  const [first, ...lines] = readFileSync(join(project, '.dockerignore'), 'utf8').trim().split('\n')
  if (first !== '*' || lines.some((line) => !/^![\w.-]+$/.test(line)))
    throw new Error('.dockerignore must be "*", followed by names that begin with "!".')
  for (const name of lines.map((line) => line.slice(1)))
    cpSync(join(project, name), join(target, name), { recursive: true })
}
