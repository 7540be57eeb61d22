// DATABASE_URL with one host or several: postgres://user:password@one:5432,two:5432/name?sslmode=require. pg knows one
// host, so each gets an address of its own; which of them is the primary is asked (primary.ts).

export interface Host {
  /** Of a log: tells no name and no password. */
  readonly label: string
  readonly connectionString: string
}

const FORM = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]+)([/?].*)?$/

/** Throws TypeError. */
export function hostsOf(databaseUrl: string): readonly Host[] {
  const [, start, hosts, rest = ''] = FORM.exec(databaseUrl) ?? []
  if (start === undefined || hosts === undefined)
    throw new TypeError('DATABASE_URL is not of the form postgres://USER:PASSWORD@HOST,HOST/NAME.')
  const found = hosts.split(',').map((label) => ({ label, connectionString: start + label + rest }))
  // Here, as what refuses it later tells all of it, and with it the password.
  if (found.every(({ connectionString }) => URL.canParse(connectionString))) return found
  throw new TypeError(
    'DATABASE_URL is no address: write each of "/ ? # @ : %" in the password as % and two digits, like %2F.',
  )
}
