// DATABASE_URL with one or several hosts: postgres://user:password@one:5432,two:5432/name?sslmode=require. pg supports one
// host, so each host gets a URL of its own; primary.ts finds the primary among them.

export interface Host {
  /** For the log: holds no user and no password. */
  readonly label: string
  readonly connectionString: string
}

const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]+)([/?].*)?$/

/** Throws TypeError. */
export function hostsOf(databaseUrl: string): readonly Host[] {
  const [, start, hosts, rest = ''] = FORM.exec(databaseUrl) ?? []
  if (start === undefined || hosts === undefined)
    throw new TypeError('DATABASE_URL is invalid. Write postgres://USER:PASSWORD@HOST,HOST/NAME.')
  const found = hosts.split(',').map((label) => ({ label, connectionString: start + label + rest }))
  // Checked here, because later errors would print the whole URL with the password.
  if (found.every(({ connectionString }) => URL.canParse(connectionString))) return found
  throw new TypeError(
    'DATABASE_URL is not a valid URL. In the password write each of "/ ? # @ : %" percent-encoded, like %2F for "/".',
  )
}
