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
    throw new TypeError('The address of the database is postgres://USER:PASSWORD@HOST,HOST/NAME.')
  return hosts.split(',').map((label) => ({ label, connectionString: start + label + rest }))
}
