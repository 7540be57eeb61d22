// An address of this machine that is not a loopback address; undefined if the machine has none.

import { networkInterfaces } from 'node:os'

export const OUTER_ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((item) => item?.family === 'IPv4' && !item.internal)?.address

export const NO_OUTER_ADDRESS =
  OUTER_ADDRESS === undefined ? 'the machine has no address but loopback' : false
